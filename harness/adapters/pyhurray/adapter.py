#!/usr/bin/env python3
"""The published Python package `pyhurray` behind the reader protocol (conformance suite, version 1).

The adapter decides nothing: every verdict is the package's own, asked for through its public API.
"""
import json
import struct
import sys
import tempfile

import hurray

REFUSALS = (hurray.InvalidDescriptorError, hurray.StreamError, hurray.FileError, hurray.BufferError,
            hurray.UnsupportedError, hurray.CopyRequiredError)
LAYOUTS = ["row-major", "column-major", "strided", "tiled", "morton", "coo", "csr", "csc", "csf", "block-paged",
           "composite", "hilbert"]
DYNAMIC = str(2**64 - 1)
LAYOUT_BY_TAG = dict(zip([*range(1, 12), 0x40], LAYOUTS))
SCHEMES = {"PerTensorAffine": "per-tensor-affine", "PerChannelAffine": "per-channel-affine",
           "PerBlockAffine": "per-block-affine", "NF4": "nf4", "MXFP": "mxfp"}


def describe(descriptor, name):
    """The view of one descriptor; the package decodes a quantization section only when asked to."""
    shape = [DYNAMIC if size is None else size for size in descriptor.shape]
    view = {"kind": "tensor", "type": str(descriptor.dtype), "shape": shape,
            "layout": LAYOUT_BY_TAG.get(descriptor.layout.tag, f"0x{descriptor.layout.tag:02x}")}
    scheme = descriptor.quantization
    if scheme is not None:
        scheme = hurray.decode_quantization(scheme) if isinstance(scheme, bytes) else scheme
        view["scheme"] = SCHEMES[type(scheme).__name__]
    if descriptor.shard is not None:
        view.update(offset=list(descriptor.shard.shard_offset), parent=list(descriptor.shard.parent_shape))
    if name is not None:
        view["name"] = name
    return view


def composite(descriptor, members, name):
    layout = descriptor.layout
    return {**describe(descriptor, name), "kind": "composite", "rule": layout.composition_rule,
            "combine": layout.combine_op or "none", "complete": len(members) == layout.member_count,
            "members": members}


def item(found, name=None):
    if not isinstance(found, hurray.Composite):
        return describe(found.descriptor, name)
    members = [item(member) for member in found.members]
    for member, role in zip(members, found.member_roles or []):
        if role is not None:
            member["role"] = role
    return composite(found.descriptor, members, name)


def offsets_by_name(file):
    """descriptor_offset of every index entry: the package keeps them to itself, and items go by ascending offset."""
    offsets, (at,) = {}, struct.unpack_from("<Q", file, len(file) - 40)
    for _ in range(struct.unpack_from("<Q", file, at)[0]):
        (length,) = struct.unpack_from("<H", file, at + 8)
        name = file[at + 10:at + 10 + length].decode()
        (offsets[name],) = struct.unpack_from("<Q", file, at + 10 + length)
        at += length + 34
    return offsets


def read(surface, body):
    if surface == "descriptor":
        found = hurray.Descriptor.decode(body)
        head = found.layout.name == "composite"
        return [composite(found, [], None) if head else describe(found, None)]
    if surface == "bare":
        return [item(found) for found in hurray.StreamReader(body)]
    with tempfile.NamedTemporaryFile(suffix=".hrry") as file:
        file.write(body)
        file.flush()
        hurray.load_kv(file.name)
        found = hurray.load(file.name)
    offsets = offsets_by_name(body)
    return [item(found[name], name) for name in sorted(found, key=offsets.get)]


def receive():
    while lengths := sys.stdin.buffer.read(8):
        header, body = struct.unpack("<II", lengths)
        yield json.loads(sys.stdin.buffer.read(header)), sys.stdin.buffer.read(body)


def send(message):
    header = json.dumps(message).encode()
    sys.stdout.buffer.write(struct.pack("<II", len(header), 0) + header)
    sys.stdout.buffer.flush()


def main():
    for request, body in receive():
        if request["op"] == "hello":
            send({"op": "ready", "protocol": 1, "name": "pyhurray", "version": "0.1.0", "language": "Python",
                  "url": "https://github.com/pgillet/hurray", "surfaces": ["descriptor", "bare", "file"],
                  "modes": ["strict"], "layouts": LAYOUTS, "schemes": list(SCHEMES.values())})
        elif request["op"] == "read":
            try:
                answer = {"verdict": "accept", "view": read(request["surface"], body)}
            except REFUSALS as error:
                answer = {"verdict": "reject", "message": str(error)}
            send({"op": "result", "id": request["id"], **answer})
        else:
            break


if __name__ == "__main__":
    main()
