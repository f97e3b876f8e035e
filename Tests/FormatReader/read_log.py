#!/usr/bin/env python3
"""Reads a mailbox's segment or a key-value log by what the format's article says, and by nothing else.

    read_log.py FILE [--key HEX | --private-key HEX]

Prints what waits in a segment, or the keys of a log, as JSON Lines. Exit code: 0 all was read, 2 something was damaged,
1 it isn't such a file, or the key isn't its key. It shares no code with the library: that is what it is for.
"""
import argparse
import json
import struct
import sys
import time
import zlib

from sealing import Keys, siphash

HEADER, WORDS, DATA, FRAME = 0, 4096, 8192, 120
ACTIVE, SEALED, SUPERSEDING, REMOVED = 1, 2, 3, 4
WORD_NAMES = [
    "last append time", "last sequence", "committed end", "state", "consumed end", "consumed sequence", "synced end",
    "boot identity", "file identity", "listener", "dropped entries", "live bytes", "index block",
]
TYPES = ["bytes", "string", "int", "uint", "double", "bool", "date", "fields"]
ENTRY, SET, REMOVE, CLEAR, INDEX = 1, 2, 3, 4, 5


class NotReadable(Exception):
    """The file as a whole can't be read, and why."""


class File:
    """The header, the words and the records of one file."""

    def __init__(self, data):
        self.data = data
        if len(data) < DATA or data[0:8] != b"ANTEROOM":
            raise NotReadable("not a file of this format")
        self.high, self.low = struct.unpack_from(">QQ", data, 40)
        identifier = struct.pack("<QQ", self.high, self.low)
        self.word_seed = zlib.crc32(identifier)
        self.file_seed = zlib.crc32(identifier, 0x414E5445)
        if self.word("state") == REMOVED:
            raise NotReadable("the segment is removed")
        if struct.unpack_from("<I", data, 4092)[0] != zlib.crc32(data[:4092]):
            raise NotReadable("the header's checksum doesn't fit")
        version, self.kind, self.suite, block = struct.unpack_from("<HBBI", data, 8)
        scheme = struct.unpack_from("<I", data, 96)[0]
        if version != 1 or block != 4096 or any(data[32:40]) or (self.suite, scheme) not in [(0, 0), (1, 1), (1, 2)]:
            raise NotReadable("a newer file, or one of another suite")
        self.scheme = scheme
        self.is_damaged = False

    def checked_word(self, raw, index):
        """A word's value; None when its check doesn't fit."""
        value, check = raw & (1 << 48) - 1, raw >> 48
        crc = zlib.crc32(struct.pack("<Q", value | index << 48), self.word_seed)
        return value if check == ((crc ^ crc >> 16) & 0xFFFF or 0xFFFF) else None

    def word(self, name):
        index = WORD_NAMES.index(name)
        return self.checked_word(struct.unpack_from("<Q", self.data, WORDS + 128 * index)[0], index)

    def records(self, start):
        """The good frames from an offset on. What is skipped between them is damage."""
        end = self.word("committed end")
        end = len(self.data) if end is None else min(end, len(self.data))
        offset, last, is_lost = start, 0, False
        while offset + FRAME <= end:
            record = Record(self, offset, end)
            if record.is_good and (record.sequence > last or record.kind == INDEX and record.sequence == last):
                self.is_damaged |= is_lost
                is_lost = False
                yield record
                last = record.sequence
                offset += record.total
            else:
                is_lost = True
                offset += 8
        self.is_damaged |= is_lost or self.word("committed end") not in (None, end)

    def whole(self, start):
        """Records whose checksums fit; of a batch, all or none. Reading may begin in the middle of one that was whole."""
        batch, first = [], 0
        for record in self.records(start):
            if batch and (record.batch_count != batch[0].batch_count or record.batch_position != first + len(batch)
                          or record.sequence != batch[-1].sequence + 1
                          or record.offset != batch[-1].offset + batch[-1].total):
                self.is_damaged, batch = True, []
            if not batch:
                first = record.batch_position if record.offset == start > DATA else 0
            if not record.has_good_body() or record.batch_position != first + len(batch):
                self.is_damaged, batch = True, []
                continue
            batch.append(record)
            if first + len(batch) == record.batch_count:
                yield from batch
                batch = []
        self.is_damaged |= bool(batch)


class Record:
    """One frame and what follows it."""

    def __init__(self, file, offset, end):
        self.file, self.offset = file, offset
        frame = file.data[offset:offset + FRAME]
        (self.header_crc, self.total, self.body_crc, self.schema, self.sequence, self.kind, _, self.type, _, self.id_count,
         self.value_count, self.batch_position, self.batch_count, _) = struct.unpack_from("<IIIIQBBBBIIIII", frame)
        self.writer, self.counter, self.appended_at, self.expires_at = frame[48:80], *struct.unpack_from("<Qqq", frame, 80)
        self.mark = struct.unpack_from("<Q", frame, 112)[0]
        self.frame = frame
        tag = 16 if file.suite else 0
        expected = FRAME + self.id_count + self.value_count + tag + 7 & ~7
        seed = zlib.crc32(struct.pack("<Q", offset), file.file_seed)
        kinds = (ENTRY,) if file.kind == 1 else (SET, REMOVE, CLEAR, INDEX)
        self.is_good = (self.total == expected and offset + self.total <= end and self.header_crc == zlib.crc32(frame[4:112], seed)
                        and self.kind in kinds and self.type < len(TYPES) and self.batch_position < self.batch_count
                        and 0 < self.sequence < 1 << 48 and self.appended_at >= 0)

    def has_good_body(self):
        body = self.file.data[self.offset + FRAME:self.offset + self.total]
        return zlib.crc32(body, self.file.file_seed) == self.body_crc

    @property
    def is_acknowledged(self):
        return self.file.checked_word(self.mark, 255) == self.sequence

    def opened(self, keys):
        """Id and value; None when the tag doesn't fit."""
        start = self.offset + FRAME
        end = start + self.id_count + self.value_count
        text = self.file.data[start:end]
        if self.file.suite:
            associated = struct.pack("<QI", self.offset, self.total) + self.frame[12:112]
            text = keys.open(self.writer, self.counter, text, self.file.data[end:end + 16], associated)
            if text is None:
                return None
        return text[:self.id_count], text[self.id_count:]


def shown(kind, value):
    """A value as JSON has it."""
    if kind == 0:
        return value.hex()
    if kind == 1:
        return value.decode()
    if kind in (2, 3):
        return struct.unpack("<q" if kind == 2 else "<Q", value)[0]
    if kind in (4, 6):
        return struct.unpack("<d", value)[0]
    if kind == 5:
        return value[0] == 1
    fields, offset = [], 0
    while offset < len(value):
        name_count, inner, _, count = struct.unpack_from("<HBBI", value, offset)
        name_end = offset + 8 + name_count
        fields.append([value[offset + 8:name_end].decode(), TYPES[inner], shown(inner, value[name_end:name_end + count])])
        offset = name_end + count
    return fields


def pending(file, keys):
    start = file.word("consumed end")
    file.is_damaged |= start is None
    for record in file.whole(start or DATA):
        if record.is_acknowledged:
            continue
        opened = record.opened(keys)
        if opened is None:
            file.is_damaged = True
            continue
        yield {"id": opened[0].decode(), "sequence": record.sequence, "appendedAt": record.appended_at,
               "schemaVersion": record.schema, "type": TYPES[record.type], "value": shown(record.type, opened[1])}


def index_blocks(file, record, keys):
    """The blocks of an index, without what checks them; None when one is damaged."""
    blocks = []
    for start in range(record.offset + FRAME, record.offset + FRAME + record.value_count, 4096):
        block = file.data[start:start + 4096]
        place = struct.pack("<Q", start)
        if keys:
            counter = struct.unpack_from("<Q", block, 4072)[0]
            blocks.append(keys.open(record.writer, counter, block[:4072], block[4080:], place))
        else:
            fits = struct.unpack_from("<I", block, 4080)[0] == zlib.crc32(block[:4072], zlib.crc32(place, file.file_seed))
            blocks.append(block[:4072] if fits else None)
    return None if None in blocks else blocks


def check_index(file, record, keys, places, cleared_end):
    """Whether an index says where the keys are that were last set or removed at `places`, and nothing else."""
    blocks = index_blocks(file, record, keys)
    if not blocks:
        return False
    covered, cleared, previous, entry_count, block_count = struct.unpack_from("<5Q", blocks[0])
    if covered != record.offset or cleared != cleared_end or block_count != len(blocks) - 1 or previous:
        return False
    entries = []
    for number, block in enumerate(blocks[1:]):
        inside = [struct.unpack_from("<QQ", block, 8 + 16 * place) for place in range(struct.unpack_from("<H", block)[0])]
        if any(entry[0] * block_count >> 64 > number for entry in inside):
            return False
        entries += inside
    hash_key = keys.hash_key() if keys else struct.pack("<QQ", file.high, file.low)
    expected = [(siphash(hash_key, key), place) for key, place in places.items()]
    return (len(entries) == entry_count and entries == sorted(entries, key=lambda entry: (entry[0], -entry[1]))
            and sorted(entries) == sorted(expected))


def dictionary(file, keys):
    found, now, places, cleared_end = {}, time.time() * 1e6, {}, 0
    for record in file.whole(DATA):
        if record.kind == INDEX:
            # One that leads to an older one is of a part of the keys: only the first is looked at.
            if struct.unpack_from("<Q", (index_blocks(file, record, keys) or [bytes(24)])[0], 16)[0] == 0:
                file.is_damaged |= not check_index(file, record, keys, places, cleared_end)
            continue
        if record.kind == CLEAR:
            found, places, cleared_end = {}, {}, record.offset + record.total
            continue
        opened = record.opened(keys)
        if opened:
            places[opened[0]] = record.offset
        if opened is None:
            file.is_damaged = True
            continue
        found.pop(opened[0], None)
        if record.kind == SET and not 0 < record.expires_at <= now:
            found[opened[0]] = (record, opened[1])
    for key, (record, value) in sorted(found.items()):
        yield {"key": key.decode(), "sequence": record.sequence, "expiresAt": record.expires_at,
               "type": TYPES[record.type], "value": shown(record.type, value)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--key", type=bytes.fromhex)
    parser.add_argument("--private-key", type=bytes.fromhex)
    arguments = parser.parse_args()
    with open(arguments.file, "rb") as stream:
        data = stream.read()
    try:
        file = File(data)
        keys = Keys(data, file.scheme, arguments.key, arguments.private_key) if file.suite else None
        if file.suite and not keys.fit:
            raise NotReadable("the key isn't the file's")
    except NotReadable as error:
        print(f"{arguments.file}: {error}", file=sys.stderr)
        return 1
    for row in (pending if file.kind == 1 else dictionary)(file, keys):
        print(json.dumps(row, ensure_ascii=False))
    return 2 if file.is_damaged else 0


if __name__ == "__main__":
    sys.exit(main())
