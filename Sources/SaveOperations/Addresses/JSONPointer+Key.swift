package import SaveCodec

extension JSONPointer {
    /// Returns a document whose root is the key that a token such as `=5` describes; nil if the token describes no key.
    package static func key(ofExtension form: [UInt16]) -> Document? {
        guard form.first == UInt16(UInt8(ascii: "=")) else { return nil }
        let text = String(decoding: form.dropFirst(), as: UTF16.self)
        for json in [text, "{\"$date\": \"\(text)\"}"] {
            guard let document = try? JSON.readTyped(Array(json.utf8)),
                !document.object(document.root).kind.isContainer,
                JSONPointer.extensionToken(ofKey: document[document.root], at: 0).utf16.elementsEqual(form)
            else { continue }
            return document
        }
        return nil
    }
}
