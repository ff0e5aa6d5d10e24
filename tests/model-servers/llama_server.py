"""Runs llama.cpp's server until its input ends: llama_server.py FILE PORT TOKENS_OF_CONTEXT"""

import sys

import xllamacpp

file, port, context = sys.argv[1:]
SLOTS = 2
options = xllamacpp.CommonParams()
options.model.path = file
options.model_alias = {"random"}
options.port = int(port)
# The context is divided among the slots.
options.n_ctx = SLOTS * int(context)
options.n_parallel = SLOTS
options.warmup = False
options.cpuparams.n_threads = 1
options.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(options)
print("listening", flush=True)
sys.stdin.read()
