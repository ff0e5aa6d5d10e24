"""Sends the rows of a statement on a DuckDB file as an Arrow IPC stream to each connection on a port of this machine.

usage: duckdb_client.py FILE SQL       prints the port, and serves until its standard input ends
       duckdb_client.py count STREAM   prints the number of rows of an Arrow IPC stream in a file
"""

import os
import socket
import sys
import threading

import duckdb
import pyarrow as pa

# Fastest of 10,000, 100,000 and 1,000,000 rows, which is the default.
ROWS_PER_BATCH = 100_000


def serve(file: str, sql: str) -> None:
    connection = duckdb.connect(file, read_only=True)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        peer, _ = listener.accept()
        with peer, peer.makefile("wb") as sink:
            reader = connection.execute(sql).to_arrow_reader(ROWS_PER_BATCH)
            with pa.ipc.new_stream(sink, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)


def end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)


if sys.argv[1] == "count":
    with pa.ipc.open_stream(sys.argv[2]) as stream:
        print(sum(batch.num_rows for batch in stream))
else:
    threading.Thread(target=end_with_input, daemon=True).start()
    serve(*sys.argv[1:])
