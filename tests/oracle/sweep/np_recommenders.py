"""Recommenders written with mx.np and mx.npx, after their published architectures, in small."""
from mxnet.gluon import nn

USERS, ITEMS, FIELDS, VALUES = 30, 40, 6, 60


class MatrixFactorization(nn.HybridBlock):
    def __init__(self, factors=8):
        super().__init__()
        self.users, self.items = nn.Embedding(USERS, factors), nn.Embedding(ITEMS, factors)
        self.user_bias, self.item_bias = nn.Embedding(USERS, 1), nn.Embedding(ITEMS, 1)

    def hybrid_forward(self, F, user, item):
        product = (self.users(user) * self.items(item)).sum(axis=1)
        return product + F.np.squeeze(self.user_bias(user)) + F.np.squeeze(self.item_bias(item))


class AutoRec(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Dense(16, activation="sigmoid"), nn.Dense(ITEMS)

    def hybrid_forward(self, F, ratings):
        return self.decoder(self.encoder(ratings)) * F.np.sign(ratings)


class NeuMf(nn.HybridBlock):
    def __init__(self, factors=8):
        super().__init__()
        self.users, self.items, self.deep_users, self.deep_items = (nn.Embedding(n, factors) for n in (USERS, ITEMS, USERS, ITEMS))
        self.deep = nn.HybridSequential()
        self.deep.add(nn.Dense(16, activation="relu"), nn.Dense(8, activation="relu"))
        self.score = nn.Dense(1, activation="sigmoid", use_bias=False)

    def hybrid_forward(self, F, user, item):
        product = self.users(user) * self.items(item)
        deep = self.deep(F.np.concatenate([self.deep_users(user), self.deep_items(item)], axis=1))
        return self.score(F.np.concatenate([product, deep], axis=1))


def pairs(F, embedded):
    """The sum of the products of all pairs of fields."""
    return 0.5 * (embedded.sum(axis=1) ** 2 - (embedded ** 2).sum(axis=1))


class FactorizationMachine(nn.HybridBlock):
    def __init__(self, factors=8):
        super().__init__()
        self.embedding, self.weights, self.score = nn.Embedding(VALUES, factors), nn.Embedding(VALUES, 1), nn.Dense(1, use_bias=True)

    def hybrid_forward(self, F, x):
        linear = self.score(self.weights(x).sum(axis=1))
        return F.npx.sigmoid(linear + pairs(F, self.embedding(x)).sum(axis=1, keepdims=True))


class DeepFm(nn.HybridBlock):
    def __init__(self, factors=8):
        super().__init__()
        self.embedding, self.weights, self.linear = nn.Embedding(VALUES, factors), nn.Embedding(VALUES, 1), nn.Dense(1)
        self.deep = nn.HybridSequential()
        self.deep.add(nn.Dense(16, activation="relu"), nn.Dropout(0.1), nn.Dense(8, activation="relu"), nn.Dense(1))

    def hybrid_forward(self, F, x):
        embedded = self.embedding(x)
        deep = self.deep(F.np.reshape(embedded, (-1, FIELDS * 8)))
        return F.npx.sigmoid(self.linear(self.weights(x).sum(1)) + pairs(F, embedded).sum(1, keepdims=True) + deep)


class SequenceRecommender(nn.HybridBlock):
    """Caser: convolutions over the last items, in both directions."""

    def __init__(self, length=5, factors=8):
        super().__init__()
        self.users, self.items = nn.Embedding(USERS, factors), nn.Embedding(ITEMS, factors)
        self.vertical, self.horizontal = nn.Conv2D(4, (length, 1)), [nn.Conv2D(6, (i + 1, factors), activation="relu") for i in range(length)]
        for block in self.horizontal:
            self.register_child(block)
        self.join, self.scores = nn.Dense(factors, activation="relu"), nn.Dense(ITEMS)

    def hybrid_forward(self, F, user, items):
        pictures = F.np.expand_dims(self.items(items), 1)
        features = [F.npx.batch_flatten(self.vertical(pictures))]
        for convolution in self.horizontal:
            features.append(F.np.max(F.np.squeeze(convolution(pictures), axis=3), axis=2))
        z = self.join(F.np.concatenate(features, axis=1))
        return self.scores(F.np.concatenate([z, self.users(user)], axis=1))


NETWORKS = {
    "np_matrix_factorization": (MatrixFactorization, ["user", "item"]), "np_autorec": (AutoRec, ["ratings"]), "np_neumf": (NeuMf, ["user", "item"]),
    "np_factorization_machine": (FactorizationMachine, ["fields"]), "np_deepfm": (DeepFm, ["fields"]), "np_caser": (SequenceRecommender, ["user", "items"]),
}
