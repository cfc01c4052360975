from op_case import case, rand

SELF_QK = "_contrib_interleaved_matmul_selfatt_qk"
SELF_VALATT = "_contrib_interleaved_matmul_selfatt_valatt"
ENCDEC_QK = "_contrib_interleaved_matmul_encdec_qk"
ENCDEC_VALATT = "_contrib_interleaved_matmul_encdec_valatt"


def of(name, op, heads, *shapes):
    return case(name, op, {"heads": heads}, [rand(shape, i) for i, shape in enumerate(shapes)])


def self_attention(name, length, batch, heads, head_dim):
    qkv = (length, batch, heads * 3 * head_dim)
    attention = (batch * heads, length, length)
    return [of(f"self_qk_{name}", SELF_QK, heads, qkv),
            of(f"self_valatt_{name}", SELF_VALATT, heads, qkv, attention)]


def encoder_decoder(name, queries, keys, batch, heads, head_dim):
    q = (queries, batch, heads * head_dim)
    kv = (keys, batch, heads * 2 * head_dim)
    attention = (batch * heads, queries, keys)
    return [of(f"encdec_qk_{name}", ENCDEC_QK, heads, q, kv),
            of(f"encdec_valatt_{name}", ENCDEC_VALATT, heads, kv, attention)]


CASES = [
    *self_attention("small", 3, 2, 2, 4),
    *self_attention("odd", 5, 3, 3, 7),
    *self_attention("one", 1, 1, 1, 1),
    *self_attention("one_head", 7, 2, 1, 16),
    *self_attention("long", 33, 1, 2, 9),
    *self_attention("wide", 4, 1, 1, 65),
    *encoder_decoder("small", 3, 5, 2, 2, 4),
    *encoder_decoder("odd", 5, 3, 3, 3, 7),
    *encoder_decoder("one", 1, 1, 1, 1, 1),
    *encoder_decoder("one_query", 1, 9, 2, 4, 8),
    *encoder_decoder("long", 18, 35, 1, 2, 11),
]
