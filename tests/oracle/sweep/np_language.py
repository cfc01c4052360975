"""Networks of texts written with mx.np and mx.npx, after their published architectures, in small."""
from mxnet.gluon import nn, rnn

WORDS = 50


class LanguageModel(nn.HybridBlock):
    def __init__(self, cell, **options):
        super().__init__()
        self.embedding, self.rnn, self.scores = nn.Embedding(WORDS, 16), cell(24, num_layers=2, layout="NTC", **options), nn.Dense(WORDS, flatten=False)

    def hybrid_forward(self, F, x, *states):
        outputs, states = self.rnn(self.embedding(x), list(states))
        return (self.scores(outputs), *states)


class RnnByHand(nn.HybridBlock):
    """An LSTM cell written out, step by step."""

    def __init__(self, steps=5, hidden=12):
        super().__init__()
        self.steps, self.hidden = steps, hidden
        with self.name_scope():
            self.input_weight = self.params.get("input_weight", shape=(WORDS, 4 * hidden))
            self.state_weight = self.params.get("state_weight", shape=(hidden, 4 * hidden))
            self.gate_bias = self.params.get("gate_bias", shape=(4 * hidden,))

    def hybrid_forward(self, F, x, input_weight, state_weight, gate_bias):
        inputs = F.npx.one_hot(F.np.transpose(x), WORDS)
        state = F.np.zeros((2, self.hidden))
        memory = F.np.zeros_like(state)
        outputs = []
        for t in range(self.steps):
            gates = F.np.dot(inputs[t], input_weight) + F.np.dot(state, state_weight) + gate_bias
            i, f, c, o = F.np.split(gates, 4, axis=-1)
            memory = F.npx.sigmoid(f) * memory + F.npx.sigmoid(i) * F.np.tanh(c)
            state = F.npx.sigmoid(o) * F.np.tanh(memory)
            outputs.append(state)
        return F.np.stack(outputs, axis=1)


def masked_softmax(F, scores, lengths):
    """Attention to the first `lengths` places only."""
    places = F.npx.arange_like(scores, axis=-1)
    seen = F.np.less(places, F.npx.reshape(lengths, (-1, 1, 1)))
    return F.npx.softmax(F.np.where(seen, scores, F.np.full_like(scores, -1e6)), axis=-1)


class DotAttention(nn.HybridBlock):
    def hybrid_forward(self, F, query, key, value, lengths):
        scores = F.npx.batch_dot(query, key, transpose_b=True) / 4.0
        return F.npx.batch_dot(masked_softmax(F, scores, lengths), value)


class AdditiveAttention(nn.HybridBlock):
    def __init__(self, hidden=16):
        super().__init__()
        self.query, self.key, self.score = (nn.Dense(n, use_bias=False, flatten=False) for n in (hidden, hidden, 1))

    def hybrid_forward(self, F, query, key, value, lengths):
        features = F.np.tanh(F.np.expand_dims(self.query(query), axis=2) + F.np.expand_dims(self.key(key), axis=1))
        scores = F.np.squeeze(self.score(features), axis=-1)
        return F.npx.batch_dot(masked_softmax(F, scores, lengths), value)


class SequenceToSequence(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(WORDS, 16), nn.Embedding(WORDS, 16)
        self.encoder, self.decoder = rnn.GRU(16, layout="NTC"), rnn.GRU(16, layout="NTC")
        self.attention, self.scores = AdditiveAttention(), nn.Dense(WORDS, flatten=False)

    def hybrid_forward(self, F, source, target, lengths, state):
        encoded, (state,) = self.encoder(self.source(source), [state])
        decoded, _ = self.decoder(self.target(target), [state])
        context = self.attention(decoded, encoded, encoded, lengths)
        return self.scores(F.np.concatenate((decoded, context), axis=-1))


class SelfAttention(nn.HybridBlock):
    """Several heads, with reshapes and transposes around matmul."""

    def __init__(self, units=16, heads=4):
        super().__init__()
        self.heads, self.scale = heads, (units // heads) ** -0.5
        self.query, self.key, self.value, self.out = (nn.Dense(units, flatten=False) for _ in range(4))

    def split(self, F, x):
        return F.np.transpose(F.npx.reshape(x, (-2, -2, self.heads, -1)), (0, 2, 1, 3))

    def hybrid_forward(self, F, x, y, mask):
        query, key, value = self.split(F, self.query(x)), self.split(F, self.key(y)), self.split(F, self.value(y))
        scores = F.np.matmul(query, F.np.swapaxes(key, 2, 3)) * self.scale
        weights = F.npx.softmax(F.np.where(mask, scores, -1e9), axis=-1)
        joined = F.npx.reshape(F.np.transpose(F.np.matmul(weights, value), (0, 2, 1, 3)), (-2, -2, -5))
        return self.out(joined)


class FeedForward(nn.HybridBlock):
    def __init__(self, activation="relu"):
        super().__init__()
        self.activation, self.first, self.second = activation, nn.Dense(32, flatten=False), nn.Dense(16, flatten=False)

    def hybrid_forward(self, F, x):
        x = self.first(x)
        return self.second(F.npx.leaky_relu(x, act_type="gelu") if self.activation == "gelu" else F.npx.relu(x))


class Transformer(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(WORDS, 16), nn.Embedding(WORDS, 16)
        self.own, self.masked, self.crossed = SelfAttention(), SelfAttention(), SelfAttention()
        self.feeds = FeedForward(), FeedForward()
        self.norms = [nn.LayerNorm() for _ in range(5)]
        for block in (*self.feeds, *self.norms):
            self.register_child(block)
        self.scores = nn.Dense(WORDS, flatten=False)

    def positions(self, F, x):
        place = F.np.expand_dims(F.npx.arange_like(x, axis=1), axis=-1)
        rate = F.np.power(10000.0, F.np.arange(0, 16, 2) / -16.0)
        angle = place * rate
        return F.np.expand_dims(F.np.concatenate((F.np.sin(angle), F.np.cos(angle)), axis=-1), axis=0)

    def hybrid_forward(self, F, source, target, lengths):
        x, y = self.source(source) * 4.0, self.target(target) * 4.0
        x, y = x + self.positions(F, x), y + self.positions(F, y)
        seen = F.np.less(F.npx.arange_like(x, axis=1), F.npx.reshape(lengths, (-1, 1, 1, 1)))
        places = F.npx.arange_like(y, axis=1)
        past = F.np.less_equal(F.np.expand_dims(places, 0), F.np.expand_dims(places, 1))
        past = F.np.expand_dims(F.np.expand_dims(past, 0), 0)
        x = self.norms[0](x + self.own(x, x, seen))
        x = self.norms[1](x + self.feeds[0](x))
        y = self.norms[2](y + self.masked(y, y, past))
        y = self.norms[3](y + self.crossed(y, x, seen))
        y = self.norms[4](y + self.feeds[1](y))
        return F.npx.log_softmax(self.scores(y), axis=-1)


class Bert(nn.HybridBlock):
    def __init__(self, layers=2):
        super().__init__()
        self.words, self.segments = nn.Embedding(WORDS, 16), nn.Embedding(2, 16)
        with self.name_scope():
            self.positions_weight = self.params.get("positions_weight", shape=(1, 20, 16))
        self.attentions, self.feeds = [SelfAttention() for _ in range(layers)], [FeedForward("gelu") for _ in range(layers)]
        self.norms = [nn.LayerNorm(epsilon=1e-12) for _ in range(2 * layers + 1)]
        for block in (*self.attentions, *self.feeds, *self.norms):
            self.register_child(block)
        self.pooler, self.next, self.masked = nn.Dense(16, activation="tanh"), nn.Dense(2), nn.Dense(WORDS, flatten=False)

    def hybrid_forward(self, F, words, segments, lengths, masked, positions_weight):
        x = self.words(words) + self.segments(segments)
        x = x + F.npx.slice(positions_weight, begin=(None, 0), end=(None, 5))
        x = self.norms[-1](x)
        seen = F.np.less(F.npx.arange_like(x, axis=1), F.npx.reshape(lengths, (-1, 1, 1, 1)))
        for attention, feed, first, second in zip(self.attentions, self.feeds, self.norms[::2], self.norms[1::2]):
            x = first(x + attention(x, x, seen))
            x = second(x + feed(x))
        chosen = F.np.matmul(F.npx.one_hot(masked, 5), x)
        return x, self.next(self.pooler(x[:, 0, :])), self.masked(chosen)


class WordVectors(nn.HybridBlock):
    """Skip-gram: a centre word beside its contexts and drawn words."""

    def __init__(self):
        super().__init__()
        self.centre, self.context = nn.Embedding(WORDS, 12), nn.Embedding(WORDS, 12)

    def hybrid_forward(self, F, centre, contexts):
        return F.npx.sigmoid(F.npx.batch_dot(self.centre(centre), self.context(contexts), transpose_b=True))


class TextCnn(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.embedding, self.fixed, self.scores = nn.Embedding(WORDS, 12), nn.Embedding(WORDS, 12), nn.Dense(2)
        self.convolutions = [nn.Conv1D(8, size, activation="relu") for size in (3, 4, 5)]
        for block in self.convolutions:
            self.register_child(block)

    def hybrid_forward(self, F, x):
        x = F.np.concatenate((self.embedding(x), self.fixed(x)), axis=2).transpose((0, 2, 1))
        pooled = [F.np.squeeze(F.np.max(convolution(x), axis=-1, keepdims=True), axis=-1) for convolution in self.convolutions]
        return self.scores(F.np.concatenate(pooled, axis=1))


class DecomposableAttention(nn.HybridBlock):
    """Two sentences, aligned softly and compared."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, 12)
        self.attend, self.compare = (nn.Dense(16, activation="relu", flatten=False) for _ in range(2))
        self.scores = nn.Dense(3)

    def hybrid_forward(self, F, first, second):
        a, b = self.embedding(first), self.embedding(second)
        e = F.np.einsum("bih,bjh->bij", self.attend(a), self.attend(b))
        beta = F.np.matmul(F.npx.softmax(e), b)
        alpha = F.np.matmul(F.npx.softmax(e.transpose((0, 2, 1))), a)
        v1 = self.compare(F.np.concatenate([a, beta], axis=2)).sum(axis=1)
        v2 = self.compare(F.np.concatenate([b, alpha], axis=2)).sum(axis=1)
        return self.scores(F.np.concatenate([v1, v2], axis=1))


# What each is given: kinds of numpy_networks.py.
NETWORKS = {
    "np_rnn_language_model": (lambda: LanguageModel(rnn.RNN), ["words", "states"]), "np_gru_language_model": (lambda: LanguageModel(rnn.GRU), ["words", "states"]),
    "np_lstm_language_model": (lambda: LanguageModel(rnn.LSTM), ["words", "states", "states"]), "np_bidirectional_lstm": (lambda: LanguageModel(rnn.LSTM, bidirectional=True), ["words", "states of both ways", "states of both ways"]),
    "np_lstm_by_hand": (RnnByHand, ["words"]), "np_seq2seq_attention": (SequenceToSequence, ["words", "words", "length", "state"]),
    "np_transformer": (Transformer, ["words", "words", "length"]), "np_bert": (Bert, ["words", "segments", "length", "place"]),
    "np_word2vec": (WordVectors, ["centre", "words"]), "np_text_cnn": (TextCnn, ["words"]),
    "np_decomposable_attention": (DecomposableAttention, ["words", "words"]),
}
