"""How threads share the work of a list of files. Needs nothing but Python.

    each(paths, 2, decode, infer)        # a thread decodes a file, runs the network on it, and takes the next file
    ahead(paths, 2, decode, infer, 8)    # threads decode; beside them the network runs on batches of 8

decode(path) gives an input; infer(inputs) a result for each. Both must release Python's lock while they compute.
"""
import concurrent.futures
import queue
import threading

# Decoded inputs that may wait, in batches.
WAITING = 2


def each(paths, threads, decode, infer):
    return list(on_threads(paths, threads, lambda path: infer([decode(path)])[0]))


def on_threads(items, threads, work):
    """work(item) of each item, in order. Threads take the next item themselves: a pool's futures cost more."""
    results, numbers, failures = [None] * len(items), iter(range(len(items))), []
    lock = threading.Lock()

    def run():
        while not failures:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            try:
                results[number] = work(items[number])
            except Exception as error:  # noqa: BLE001: rethrown where the list is
                failures.append(error)

    running = [threading.Thread(target=run) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if failures:
        raise failures[0]
    return results


def ahead(paths, threads, decode, infer, batch):
    """The caller's thread runs the network, on batches in the order of the files."""
    decoded, results = queue.Queue(), []
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        todo = iter(paths)

        def submit(count):
            for path in [path for _, path in zip(range(count), todo)]:
                decoded.put(pool.submit(decode, path))

        submit((WAITING + 1) * batch)
        while len(results) < len(paths):
            size = min(batch, len(paths) - len(results))
            inputs = [decoded.get().result() for _ in range(size)]
            submit(batch)
            results += infer(inputs)
    return results
