//! Event files of `TensorBoard`: records of `TFRecord`, each a message `Event` of protocol buffers.
//!
//! A record is its length (8 bytes), the checksum of the length, its contents, and the checksum of the
//! contents; numbers are little-endian. Of the message only the fields of scalars are written: the time (1),
//! the step (2), the version of the file (3), and the summary (5), whose values (1) have a tag (1) and a number
//! (2).

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::crc32c::masked_crc32c;

/// A file to which events are added.
pub(super) struct EventFile {
    file: File,
}

/// The first event of every file.
const VERSION: &str = "brain.Event:2";

impl EventFile {
    /// Creates a new file in a folder. A training that continues adds another file, which `TensorBoard` reads
    /// after the others.
    pub fn create(folder: &Path) -> io::Result<Self> {
        let seconds = now() as u64;
        for number in 0u32.. {
            let name = format!("events.out.tfevents.{seconds:010}.ludens.{number:03}");
            let file = OpenOptions::new().write(true).create_new(true).open(folder.join(name));
            match file {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(file) => {
                    let mut events = EventFile { file };
                    let mut event = begin(0);
                    bytes_field(&mut event, 3, VERSION.as_bytes());
                    events.file.write_all(&record(&event))?;
                    return Ok(events);
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Adds numbers with their tags.
    pub fn write(&mut self, step: u64, scalars: &[(String, f64)]) -> io::Result<()> {
        let mut summary = Vec::new();
        for (tag, number) in scalars {
            let mut value = Vec::new();
            bytes_field(&mut value, 1, tag.as_bytes());
            key(&mut value, 2, FIXED32);
            value.extend((*number as f32).to_le_bytes());
            bytes_field(&mut summary, 1, &value);
        }
        let mut event = begin(step);
        bytes_field(&mut event, 5, &summary);
        self.file.write_all(&record(&event))
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// An event with its time and step.
fn begin(step: u64) -> Vec<u8> {
    let mut event = Vec::new();
    key(&mut event, 1, FIXED64);
    event.extend(now().to_le_bytes());
    key(&mut event, 2, VARINT);
    varint(&mut event, step);
    event
}

/// A message with length and checksums.
fn record(message: &[u8]) -> Vec<u8> {
    let len = (message.len() as u64).to_le_bytes();
    let mut record = len.to_vec();
    record.extend(masked_crc32c(&len).to_le_bytes());
    record.extend(message);
    record.extend(masked_crc32c(message).to_le_bytes());
    record
}

/// The types of fields in protocol buffers.
const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const BYTES: u64 = 2;
const FIXED32: u64 = 5;

fn key(out: &mut Vec<u8>, field: u64, kind: u64) {
    varint(out, field << 3 | kind);
}

fn bytes_field(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    key(out, field, BYTES);
    varint(out, bytes.len() as u64);
    out.extend(bytes);
}

/// A number in groups of seven bits, the lowest first; all but the last have the highest bit set.
fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes bytes from the front.
    fn take<'a>(bytes: &mut &'a [u8], n: usize) -> &'a [u8] {
        let (first, rest) = bytes.split_at(n);
        *bytes = rest;
        first
    }

    fn read_varint(bytes: &mut &[u8]) -> u64 {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let byte = take(bytes, 1)[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    }

    /// The fields of a message: number, and contents or the bytes of the number.
    fn fields(mut message: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let mut fields = Vec::new();
        while !message.is_empty() {
            let key = read_varint(&mut message);
            let contents = match key & 7 {
                VARINT => read_varint(&mut message).to_le_bytes().to_vec(),
                FIXED64 => take(&mut message, 8).to_vec(),
                FIXED32 => take(&mut message, 4).to_vec(),
                BYTES => {
                    let len = read_varint(&mut message) as usize;
                    take(&mut message, len).to_vec()
                }
                kind => panic!("unknown type {kind}"),
            };
            fields.push((key >> 3, contents));
        }
        fields
    }

    /// The messages of a file; checksums are verified.
    fn messages(mut bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut messages = Vec::new();
        let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
        while !bytes.is_empty() {
            let len = take(&mut bytes, 8);
            assert_eq!(number(take(&mut bytes, 4)), masked_crc32c(len));
            let n = u64::from_le_bytes(len.try_into().unwrap()) as usize;
            let message = take(&mut bytes, n);
            assert_eq!(number(take(&mut bytes, 4)), masked_crc32c(message));
            messages.push(message.to_vec());
        }
        messages
    }

    #[test]
    fn events_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut events = EventFile::create(folder.path()).unwrap();
        let scalars = [("loss/policy".to_owned(), 1.5), ("games".to_owned(), 300.0)];
        events.write(70_000, &scalars).unwrap();
        EventFile::create(folder.path()).unwrap();
        let mut files: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert_eq!(files.len(), 2, "another training adds a file");
        let messages = messages(&std::fs::read(&files[0]).unwrap());
        let [version, event] = &messages[..] else { panic!("{messages:?}") };
        assert_eq!(fields(version)[2], (3, VERSION.as_bytes().to_vec()));
        let event = fields(event);
        assert_eq!(event.iter().map(|(field, _)| *field).collect::<Vec<_>>(), [1, 2, 5]);
        let time = f64::from_le_bytes(event[0].1[..].try_into().unwrap());
        assert!(time > 1.7e9, "{time}");
        assert_eq!(event[1].1, 70_000u64.to_le_bytes());
        let values: Vec<_> = fields(&event[2].1)
            .iter()
            .map(|(field, value)| {
                let value = fields(value);
                assert_eq!((*field, value[0].0, value[1].0), (1, 1, 2));
                let number = f32::from_le_bytes(value[1].1[..].try_into().unwrap());
                (String::from_utf8(value[0].1.clone()).unwrap(), f64::from(number))
            })
            .collect();
        assert_eq!(values, scalars);
    }

    #[test]
    fn numbers_are_groups_of_seven_bits() {
        for (number, bytes) in [(0, &[0][..]), (127, &[127]), (128, &[128, 1]), (300, &[0xac, 2])] {
            let mut out = Vec::new();
            varint(&mut out, number);
            assert_eq!(out, bytes);
            assert_eq!(read_varint(&mut &out[..]), number);
        }
    }
}
