// The crate `plist` as a program. Its events are counted, or passed directly to its writer, without a tree.
//
// usage: plist-peer count|xml|binary INPUT [OUTPUT]
use plist::stream::{BinaryWriter, Reader, Writer, XmlWriter};
use std::fs::File;
use std::io::{BufWriter, Cursor, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    // The file is read at once, because the reader of binary files seeks to every object.
    let events = Reader::new(Cursor::new(std::fs::read(&arguments[2])?));
    if arguments[1] == "count" {
        let mut count = 0;
        for event in events {
            event?;
            count += 1;
        }
        println!("{count}");
        return Ok(());
    }
    let mut output = BufWriter::with_capacity(1 << 17, File::create(&arguments[3])?);
    if arguments[1] == "xml" {
        let mut writer = XmlWriter::new(&mut output);
        for event in events {
            writer.write(event?)?;
        }
    } else {
        let mut writer = BinaryWriter::new(&mut output);
        for event in events {
            writer.write(event?)?;
        }
    }
    output.flush()?;
    Ok(())
}
