"""Runs the AVX-512 kernels on Bochs' emulated processor, which has these instructions; qemu and valgrind do not.

    python -m pip install bochscpu-python && python tools/run_on_bochs.py

It compiles `tests/avx512_selftest.c` with the core for no operating system, puts the program's pages into the memory of
a processor in 64-bit mode that saves the wide registers, runs it until it halts, and reads its findings. The processor
is asked for what it has by the core itself, so that this tests the choice of the path, too. Exit status 77 says that a
tool is missing.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "src" / "uteh" / "_core"
COMPILER = "gcc"
FLAGS = [
    *("-std=c99", "-O2", "-ffreestanding", "-nostdlib", "-static", "-fno-pic", "-no-pie"),
    *("-mno-red-zone", "-mstackrealign", "-fno-stack-protector", "-fcf-protection=none"),
    *("-fno-asynchronous-unwind-tables", "-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments"),
]
FILES = ("batch.c", "batch_x86.c", "cpu.c", "cards.c", "rounds_x86.c", "tables.c")
LAYOUT = """SECTIONS {
    . = 0x400000;
    .text : { *(.start) *(.text*) }
    .data : { *(.rodata*) *(.data*) *(.bss*) *(COMMON) }
}"""
PAGE = 4096
STACK = 0x7F0000, 0x800000
PHYSICAL, TABLES = 0x1000000, 0x10000000
# What a C library of 2023 has and the wheel of bochscpu asks for; older libraries have the same under older names.
NEWER = """
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
unsigned long long __isoc23_strtoull(const char *s, char **e, int b) { return strtoull(s, e, b); }
unsigned long __isoc23_strtoul(const char *s, char **e, int b) { return strtoul(s, e, b); }
long long __isoc23_strtoll(const char *s, char **e, int b) { return strtoll(s, e, b); }
long __isoc23_strtol(const char *s, char **e, int b) { return strtol(s, e, b); }
int __isoc23_sscanf(const char *s, const char *f, ...)
{ va_list a; int n; va_start(a, f); n = vsscanf(s, f, a); va_end(a); return n; }
"""


def compile_program(folder: Path) -> Path:
    (folder / "layout").write_text(LAYOUT, encoding="ascii")
    sources = [ROOT / "tests" / "avx512_selftest.c", *(CORE / name for name in FILES)]
    program = folder / "program"
    command = [COMPILER, *FLAGS, f"-I{CORE}", *map(str, sources), "-T", str(folder / "layout"), "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def load_bochs(folder: Path) -> Any:
    try:
        return importlib.import_module("bochscpu")
    except ImportError as error:
        if "isoc23" not in str(error):
            raise
    (folder / "newer.c").write_text(NEWER, encoding="ascii")
    subprocess.run([COMPILER, "-shared", "-fPIC", folder / "newer.c", "-o", folder / "newer.so"], check=True)
    ctypes.CDLL(str(folder / "newer.so"), mode=ctypes.RTLD_GLOBAL)
    for name in [name for name in sys.modules if name.startswith("bochscpu")]:
        del sys.modules[name]
    return importlib.import_module("bochscpu")


def pages_of(program: Path) -> dict[int, bytearray]:
    """What is in memory at which page, by the program headers of an ELF file; and an empty stack."""
    data = program.read_bytes()
    (table,), (entries,) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<H", data, 56)
    pages = {page: bytearray(PAGE) for page in range(*STACK, PAGE)}
    for i in range(entries):
        kind, _, offset, at, _, in_file, in_memory, _ = struct.unpack_from("<IIQQQQQQ", data, table + 56 * i)
        if kind != 1:
            continue
        content = data[offset : offset + in_file] + bytes(in_memory - in_file)
        for i, byte in enumerate(content, at):
            pages.setdefault(i - i % PAGE, bytearray(PAGE))[i % PAGE] = byte
    return pages


def run(bochs: Any, program: Path) -> tuple[int, ...]:
    """The eight findings of the program."""
    memory, cpu = bochs.memory, bochs.cpu
    names = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout.split("\n")
    symbols = {line.split()[2]: int(line.split()[0], 16) for line in names if len(line.split()) == 3}
    session, table = bochs.Session(), memory.PageMapLevel4Table()

    def stop(*what: object) -> None:
        print(f"stopped by {what}, at {session.cpu.rip:#x}")
        session.stop()

    session.missing_page_handler = stop
    for i, (page, content) in enumerate(pages_of(program).items()):
        host = memory.allocate_host_page()
        ctypes.memmove(host, bytes(content), PAGE)
        memory.page_insert(PHYSICAL + i * PAGE, host)
        table.insert(page, PHYSICAL + i * PAGE, 7)
    for host, physical in table.commit(TABLES):
        memory.page_insert(physical, host)
    state = bochs.State()
    cpu.set_long_mode(state)
    state.cr0 &= ~(1 << 2 | 1 << 16)  # no emulation of the floating point unit, no write protection of pages
    state.cr0 |= 1 << 1
    state.cr4 |= 1 << 9 | 1 << 10 | 1 << 18  # SSE, its exceptions, and XSAVE
    state.xcr0 = 0xE7  # x87, SSE, AVX and the three parts of AVX-512
    state.cr3, state.rip, state.rsp, state.rflags = TABLES, symbols["start"], STACK[1] - 8, 2
    state.mxcsr, state.mxcsr_mask = 0x1F80, 0xFFFF
    code, data = bochs.Segment(), bochs.Segment()
    for segment, selector, attributes in ((code, 0x10, 0xA09B), (data, 0x18, 0xC093)):
        segment.present, segment.base, segment.limit = True, 0, 0xFFFFFFFF
        segment.selector, segment.attr = selector, attributes
    state.cs, state.ds, state.es, state.fs, state.gs, state.ss = code, data, data, data, data, data
    session.cpu.state = state
    hook = bochs.Hook()
    hook.hlt = lambda *_: session.stop()
    hook.exception = stop
    session.run([hook])
    return struct.unpack("<8Q", bytes(memory.virt_read(TABLES, symbols["result"], 64)))


def main() -> int:
    if missing := [tool for tool in (COMPILER, "nm") if shutil.which(tool) is None]:
        print(f"SKIPPED: Bochs: {', '.join(missing)}")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            bochs = load_bochs(folder)
        except ModuleNotFoundError:
            print("SKIPPED: Bochs: bochscpu-python")
            return 77
        for part in ("cpu", "memory"):
            importlib.import_module(f"bochscpu.{part}")
        done, found, best, rows, wrong, searches, wrong_searches, in_blocks = run(bochs, compile_program(folder))
    print(f"AVX-512 {'is' if found and best else 'is not'} found and used; {'' if done else 'NOT '}done")
    print(f"{rows:,} rows, {in_blocks:,} of them in whole blocks, {wrong} wrong")
    print(f"{searches:,} searches for a bad row, {wrong_searches} wrong")
    return 0 if done and found and best and rows and in_blocks and not wrong and not wrong_searches else 1


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    # The bindings do not end well: they complain of leaks.
    os._exit(status)
