//! The published crates `hurray-core` and `hurray-io` behind the reader protocol (conformance suite, version 1).
//! The adapter decides nothing: every verdict is the crates' own, asked for through their public API.
use hurray_core::{layout::CompositionRule, LayoutDescriptor, QuantizationDescriptor, TensorDescriptor};
use hurray_io::file::{FileItem, FileReader};
use hurray_io::stream::{StreamItem, StreamReader};
use serde_json::{json, Map, Value};
use std::io::{self, Cursor, Read, Write};

type Failure = Box<dyn std::error::Error>;
type View = Result<Value, Failure>;

const TYPES: [&str; 26] = [
    "float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
    "uint64", "bool", "float8_e4m3", "float8_e5m2", "float8_e8m0", "float4_e2m1", "float6_e2m3", "float6_e3m2",
    "float128", "int4", "uint4", "int2", "uint2", "complex64", "complex128",
];
const TAGS: [u8; 26] = [
    0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x20, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45,
    0x46, 0x48, 0x49, 0x4A, 0x4B, 0x50, 0x51,
];
const LAYOUTS: [&str; 12] = [
    "row-major", "column-major", "strided", "tiled", "morton", "coo", "csr", "csc", "csf", "block-paged", "composite",
    "hilbert",
];
const SCHEMES: [&str; 5] = ["per-tensor-affine", "per-channel-affine", "per-block-affine", "nf4", "mxfp"];

fn name_of(names: &[&str], tags: impl Iterator<Item = u8>, tag: u8) -> String {
    tags.zip(names).find(|(known, _)| *known == tag).map_or(format!("0x{tag:02x}"), |(_, name)| name.to_string())
}

fn number(value: u64) -> Value {
    if value < 1 << 53 { json!(value) } else { json!(value.to_string()) }
}

fn numbers(values: &[u64]) -> Value {
    values.iter().map(|value| number(*value)).collect()
}

/// One descriptor's view; the quantization payload is decoded because `hurray-core` leaves that to its caller.
fn tensor(descriptor: &TensorDescriptor, name: Option<&str>) -> Result<Map<String, Value>, Failure> {
    let layout = (1..=11).chain([0x40]);
    let mut view = Map::new();
    view.insert("kind".into(), json!("tensor"));
    view.insert("type".into(), json!(name_of(&TYPES, TAGS.into_iter(), descriptor.element_type.tag())));
    view.insert("shape".into(), numbers(descriptor.shape.dims()));
    view.insert("layout".into(), json!(name_of(&LAYOUTS, layout, descriptor.layout.tag())));
    if let Some(payload) = &descriptor.quantization {
        let (scheme, _) = QuantizationDescriptor::decode(payload)?;
        view.insert("scheme".into(), json!(name_of(&SCHEMES, 1..=5, scheme.scheme_tag().tag())));
    }
    if let Some(shard) = &descriptor.shard {
        view.insert("offset".into(), numbers(&shard.shard_offset));
        view.insert("parent".into(), numbers(&shard.parent_shape));
    }
    if let Some(member) = &descriptor.composite_member {
        view.insert("role".into(), json!(["correction", "base"][usize::from(member.member_role.wire_byte())]));
    }
    if let Some(name) = name {
        view.insert("name".into(), json!(name));
    }
    Ok(view)
}

fn composite(head: &TensorDescriptor, name: Option<&str>, members: Vec<Value>) -> View {
    let LayoutDescriptor::Composite(layout) = &head.layout else { return Err("not a composite head".into()) };
    let mut view = tensor(head, name)?;
    view.insert("kind".into(), json!("composite"));
    let rule = match layout.rule {
        CompositionRule::Partition => "partition",
        CompositionRule::Overlay(_) => "overlay",
        CompositionRule::Group => "group",
        _ => return Err("a composition rule unknown to this adapter".into()),
    };
    view.insert("rule".into(), json!(rule));
    view.insert("combine".into(), json!(["none", "replace", "add"][usize::from(layout.rule.combine_op_byte())]));
    view.insert("complete".into(), json!(members.len() == layout.member_count as usize));
    view.insert("members".into(), Value::Array(members));
    Ok(Value::Object(view))
}

fn stream_item(item: &StreamItem) -> View {
    match item {
        StreamItem::Tensor(found) => Ok(Value::Object(tensor(&found.descriptor, None)?)),
        StreamItem::Composite(found) => {
            composite(&found.head, None, found.members.iter().map(stream_item).collect::<Result<_, _>>()?)
        }
    }
}

/// Also collects the names it met: the members of a composite are not top-level items.
fn file_item(item: &FileItem, names: &mut Vec<String>) -> View {
    match item {
        FileItem::Tensor(found) => {
            names.push(found.name.clone());
            Ok(Value::Object(tensor(&found.descriptor, Some(&found.name))?))
        }
        FileItem::Composite(found) => {
            names.push(found.name.clone());
            let members = found.members.iter().map(|member| file_item(member, names)).collect::<Result<_, _>>()?;
            composite(&found.head, Some(&found.name), members)
        }
    }
}

/// The names in ascending descriptor_offset: the crate lists them in index order and keeps the offsets to itself.
fn names_in_file_order(file: &[u8], names: Vec<String>) -> Vec<String> {
    let u64_at = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    let mut at = u64_at(file.len() - 40) as usize + 8;
    let mut placed: Vec<(u64, String)> = Vec::new();
    for name in names {
        at += 2 + name.len();
        placed.push((u64_at(at), name));
        at += 32;
    }
    placed.sort_by_key(|(offset, _)| *offset);
    placed.into_iter().map(|(_, name)| name).collect()
}

async fn file_view(input: &[u8]) -> View {
    let mut reader = FileReader::open(Cursor::new(input.to_vec())).await?;
    let names = names_in_file_order(input, reader.tensor_names().map(str::to_string).collect());
    let (mut items, mut met) = (Vec::new(), Vec::new());
    for name in names {
        if met.contains(&name) {
            continue;
        }
        let head = matches!(reader.read_descriptor(&name).await?.layout, LayoutDescriptor::Composite(_));
        let item = if head {
            FileItem::Composite(reader.read_composite(&name).await?)
        } else {
            FileItem::Tensor(reader.read_tensor(&name).await?)
        };
        items.push(file_item(&item, &mut met)?);
    }
    Ok(Value::Array(items))
}

async fn view(surface: &str, input: &[u8]) -> View {
    match surface {
        "descriptor" => {
            let descriptor = TensorDescriptor::decode(input)?;
            let head = matches!(descriptor.layout, LayoutDescriptor::Composite(_));
            let view = if head { composite(&descriptor, None, vec![])? } else { Value::Object(tensor(&descriptor, None)?) };
            Ok(Value::Array(vec![view]))
        }
        "bare" => {
            let mut reader = StreamReader::new(input);
            let mut items = Vec::new();
            while let Some(item) = reader.next_item().await? {
                items.push(stream_item(&item)?);
            }
            Ok(Value::Array(items))
        }
        _ => file_view(input).await,
    }
}

fn receive() -> io::Result<Option<(Value, Vec<u8>)>> {
    let mut lengths = [0; 8];
    if let Err(error) = io::stdin().read_exact(&mut lengths) {
        return if error.kind() == io::ErrorKind::UnexpectedEof { Ok(None) } else { Err(error) };
    }
    let length = |at: usize| u32::from_le_bytes(lengths[at..at + 4].try_into().unwrap()) as usize;
    let (mut header, mut body) = (vec![0; length(0)], vec![0; length(4)]);
    io::stdin().read_exact(&mut header)?;
    io::stdin().read_exact(&mut body)?;
    Ok(Some((serde_json::from_slice(&header)?, body)))
}

fn send(message: &Value) -> io::Result<()> {
    let header = message.to_string();
    let mut frame = (header.len() as u32).to_le_bytes().to_vec();
    frame.extend([0; 4]);
    frame.extend(header.as_bytes());
    io::stdout().write_all(&frame)?;
    io::stdout().flush()
}

fn main() -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    while let Some((request, body)) = receive()? {
        match request["op"].as_str() {
            Some("hello") => send(&json!({
                "op": "ready", "protocol": 1, "name": "hurray-rust", "version": "0.1.0", "language": "Rust",
                "url": "https://github.com/pgillet/hurray", "surfaces": ["descriptor", "bare", "file"],
                "modes": ["strict"], "types": TYPES, "layouts": LAYOUTS, "schemes": SCHEMES,
                "devices": ["cpu", "cuda", "rocm", "metal", "vulkan", "webgpu", "hexagon", "level-zero", "opencl"],
            }))?,
            Some("read") => {
                let answer = runtime.block_on(view(request["surface"].as_str().unwrap_or(""), &body));
                let mut reply = json!({"op": "result", "id": request["id"]});
                match answer {
                    Ok(view) => {
                        reply["verdict"] = json!("accept");
                        reply["view"] = view;
                    }
                    Err(error) => {
                        reply["verdict"] = json!("reject");
                        reply["message"] = json!(error.to_string());
                    }
                }
                send(&reply)?;
            }
            _ => break,
        }
    }
    Ok(())
}
