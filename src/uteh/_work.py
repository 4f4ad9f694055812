"""Long work in slices: progress, Ctrl-C and threads, once for every engine.

A job is a function `step(first, last)` over numbered units that adds to state of its own and gives up the GIL while it
works. Between slices of at most 20 ms the caller's thread sees signals and calls `progress`; an exception from either
stops the work. What the units mean, and how results add, is left to the caller.
"""

from __future__ import annotations

from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Step = Callable[[int, int], object]
    Progress = Callable[[int, int], object]

SLICE_SECONDS = 0.02
ROWS = 1 << 20  # rows a slice for the array kernels: a few milliseconds


def count_threads(threads: int | None) -> int:
    """The number of threads that `threads=` means; None is one a core."""
    if threads is None:
        import os

        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not hasattr(threads, "__index__"):
        raise TypeError(f"threads must be an int or None, not {type(threads).__name__}")
    count = threads.__index__()
    if count < 1:
        raise ValueError(f"threads must be at least 1, not {count}")
    return count


def run(
    step: Step, total: int, *, threads: int | None = 1, progress: Progress | None = None, slice_size: int = 256
) -> None:
    """Calls step over 0 .. total - 1 in slices, the first of slice_size units, later ones of what takes 10 to 20 ms.

    With more than one thread, slices go to the threads in order; `step` must then be safe to call at once from several.
    """
    workers = count_threads(threads)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, not {type(progress).__name__}")
    if workers == 1 or total <= slice_size:
        done = 0
        while done < total:
            last = min(total, done + slice_size)
            start = perf_counter()
            step(done, last)
            slice_size = _next_size(slice_size, perf_counter() - start)
            done = last
            if progress is not None:
                progress(done, total)
        return
    _run_threads(step, total, workers, progress, slice_size)


def _next_size(size: int, seconds: float) -> int:
    if seconds < SLICE_SECONDS / 4:
        return size * 2
    if seconds > SLICE_SECONDS:
        return max(1, int(size * SLICE_SECONDS / 2 / seconds))
    return size


def _run_threads(step: Step, total: int, workers: int, progress: Progress | None, slice_size: int) -> None:
    import threading
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

    lock = threading.Lock()
    stop = False
    next_unit = done = 0
    size = slice_size

    def work() -> None:
        nonlocal next_unit, done, size
        while True:
            with lock:
                if stop or next_unit >= total:
                    return
                first = next_unit
                # Slices shrink towards the end, so that all threads end at about the same time.
                share = max(1, size // 16, (total - first) // (2 * workers))
                last = next_unit = min(total, first + min(size, share))
            start = perf_counter()
            step(first, last)
            seconds = perf_counter() - start
            with lock:
                done += last - first
                if last - first == size:
                    size = _next_size(size, seconds)

    with ThreadPoolExecutor(workers) as pool:
        try:
            waiting = {pool.submit(work) for _ in range(workers)}
            while waiting:
                finished, waiting = wait(waiting, timeout=SLICE_SECONDS, return_when=FIRST_COMPLETED)
                for future in finished:
                    future.result()
                if progress is not None:
                    progress(done, total)
        finally:
            # Reached by Ctrl-C and by exceptions of step and progress too: the others end with their slice.
            stop = True
