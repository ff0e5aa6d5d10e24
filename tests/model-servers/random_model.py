"""Writes a GGUF file of a tiny Llama model with random weights and one token per byte: random_model.py FILE"""

import sys

import gguf
import numpy

WIDTH, LAYERS, HEADS, INNER, CONTEXT = 64, 2, 4, 128, 65_536

# Bytes first, then a few words, so that answers are not only single characters.
WORDS = ["\u2581the", "\u2581orders", "SELECT", "\u2581FROM", "{", "}", '"', ":", "\u2581"]
TOKENS = [b"<unk>", b"<s>", b"</s>", *(f"<0x{byte:02X}>".encode() for byte in range(256)), *(word.encode() for word in WORDS)]
# Kinds of tokens in GGUF: 1 normal, 2 unknown, 3 control, 6 byte.
KINDS = [2, 3, 3, *[6] * 256, *[1] * len(WORDS)]

random = numpy.random.default_rng(1)
writer = gguf.GGUFWriter(sys.argv[1], "llama")
writer.add_name("random")
writer.add_context_length(CONTEXT)
writer.add_embedding_length(WIDTH)
writer.add_block_count(LAYERS)
writer.add_feed_forward_length(INNER)
writer.add_head_count(HEADS)
writer.add_head_count_kv(HEADS)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_rope_dimension_count(WIDTH // HEADS)
writer.add_vocab_size(len(TOKENS))
writer.add_file_type(gguf.LlamaFileType.ALL_F32)
writer.add_tokenizer_model("llama")
writer.add_token_list(TOKENS)
writer.add_token_scores([0.0] * 259 + [-float(at) for at in range(len(WORDS))])
writer.add_token_types(KINDS)
writer.add_bos_token_id(1)
writer.add_eos_token_id(2)
writer.add_unk_token_id(0)


def tensor(name, *shape):
    """Adds a tensor of small random numbers."""
    writer.add_tensor(name, (random.standard_normal(shape) * 0.05).astype(numpy.float32))


def ones(name):
    """Adds the weights of a norm."""
    writer.add_tensor(name, numpy.ones(WIDTH, numpy.float32))


tensor("token_embd.weight", len(TOKENS), WIDTH)
tensor("output.weight", len(TOKENS), WIDTH)
ones("output_norm.weight")
for layer in range(LAYERS):
    block = f"blk.{layer}."
    ones(block + "attn_norm.weight")
    ones(block + "ffn_norm.weight")
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        tensor(f"{block}{name}.weight", WIDTH, WIDTH)
    tensor(block + "ffn_gate.weight", INNER, WIDTH)
    tensor(block + "ffn_up.weight", INNER, WIDTH)
    tensor(block + "ffn_down.weight", WIDTH, INNER)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
