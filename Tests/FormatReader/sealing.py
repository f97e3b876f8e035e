"""The keys of a sealed file, by what the article on encryption says; ChaCha20-Poly1305 and X25519 by RFC 8439 and RFC 7748.

And SipHash-2-4, of which the index of a log is made."""
import hashlib
import hmac
import struct


class Keys:
    """Subkeys of one file."""

    def __init__(self, header, scheme, key, private_key):
        self.salt, self.public_key, stored = header[64:96], header[104:136], header[136:168]
        self.private_key = private_key
        self.root = None
        self.fit = False
        if scheme == 1 and key:
            self.root = hmac_sha256(self.salt, key)
            check = hmac_sha256(expand(self.root, b"anteroom 1 key check"), header[:136])
            self.fit = hmac.compare_digest(check, stored)
        elif scheme == 2 and private_key:
            self.fit = (x25519(private_key, (9).to_bytes(32, "little")) == self.public_key
                        and hmac.compare_digest(hmac_sha256(self.public_key, header[:136]), stored))

    def hash_key(self):
        """What a log hashes its keys under."""
        return expand(self.root, b"anteroom 1 key hash")[:16]

    def open(self, writer, counter, ciphertext, tag, associated):
        """The plaintext, or None when the tag doesn't fit."""
        info = b"anteroom 1 record" + writer
        root = self.root
        if root is None:
            root = hmac_sha256(self.salt, x25519(self.private_key, writer))
            info += self.public_key
        return open_sealed(expand(root, info), bytes(4) + struct.pack("<Q", counter), ciphertext, tag, associated)


def hmac_sha256(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def expand(root, info):
    """HKDF-Expand to 32 bytes: one block."""
    return hmac_sha256(root, info + b"\x01")


def rotated(value, count):
    return (value << count | value >> 32 - count) & 0xFFFFFFFF


def chacha_block(key, counter, nonce):
    initial = list(struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<8I", key) + (counter,)
                   + struct.unpack("<3I", nonce))
    state = initial[:]

    def quarter(a, b, c, d):
        for x, y, z, count in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[x] = state[x] + state[y] & 0xFFFFFFFF
            state[z] = rotated(state[z] ^ state[x], count)

    for _ in range(10):
        for column in range(4):
            quarter(column, column + 4, column + 8, column + 12)
        quarter(0, 5, 10, 15)
        quarter(1, 6, 11, 12)
        quarter(2, 7, 8, 13)
        quarter(3, 4, 9, 14)
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(state, initial)))


def poly1305(key, message):
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for start in range(0, len(message), 16):
        total = (total + int.from_bytes(message[start:start + 16] + b"\x01", "little")) * r % (2**130 - 5)
    return (total + int.from_bytes(key[16:], "little") & 2**128 - 1).to_bytes(16, "little")


def open_sealed(key, nonce, ciphertext, tag, associated):
    def padded(part):
        return part + bytes(-len(part) % 16)

    message = padded(associated) + padded(ciphertext) + struct.pack("<QQ", len(associated), len(ciphertext))
    if not hmac.compare_digest(poly1305(chacha_block(key, 0, nonce)[:32], message), tag):
        return None
    plaintext = bytearray()
    for index in range(0, len(ciphertext), 64):
        stream = chacha_block(key, 1 + index // 64, nonce)
        plaintext += bytes(a ^ b for a, b in zip(ciphertext[index:index + 64], stream))
    return bytes(plaintext)


def x25519(scalar, point):
    p = 2**255 - 19
    k = int.from_bytes(scalar, "little") & ~7 & 2**255 - 1 | 2**254
    u = int.from_bytes(point, "little") & 2**255 - 1
    x2, z2, x3, z3, swap = 1, 0, u, 1, 0
    for bit in range(254, -1, -1):
        now = k >> bit & 1
        if swap ^ now:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = now
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % p, b * b % p, d * a % p, c * b % p
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % p, u * (da - cb) ** 2 % p
        x2, z2 = aa * bb % p, e * (aa + 121665 * e) % p
    if swap:
        x2, x3, z2, z3 = x3, x2, z3, z2
    return (x2 * pow(z2, p - 2, p) % p).to_bytes(32, "little")


def siphash(key, message):
    """SipHash-2-4, to a number."""
    mask = 2**64 - 1
    k0, k1 = struct.unpack("<QQ", key)
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def turned(value, count):
        return (value << count | value >> 64 - count) & mask

    def rounds(count):
        for _ in range(count):
            v[0], v[2] = v[0] + v[1] & mask, v[2] + v[3] & mask
            v[1], v[3] = turned(v[1], 13) ^ v[0], turned(v[3], 16) ^ v[2]
            v[0] = turned(v[0], 32)
            v[2], v[0] = v[2] + v[1] & mask, v[0] + v[3] & mask
            v[1], v[3] = turned(v[1], 17) ^ v[2], turned(v[3], 21) ^ v[0]
            v[2] = turned(v[2], 32)

    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) & 0xFF])
    for (word,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]
