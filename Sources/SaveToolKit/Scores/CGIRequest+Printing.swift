import SaveCodec

extension CGIRequest {
    /// Answers a request with what is printed.
    ///
    /// - Parameter print: prints, and says what it is; nil if something went wrong, which it has said.
    static func answer(_ invocation: Invocation, _ print: (Invocation) throws -> MediaType?) throws -> ExitStatus {
        try answer(invocation, allowing: ["GET", "HEAD"]) { _ in
            let page = Page()
            let type = try print(invocation.printing(on: page.channel))
            return type.map { CGIResponse(.ok, page.bytes, type: $0) } ?? .internalTrouble
        }
    }

    /// What has been printed.
    private final class Page {
        private(set) var bytes: [UInt8] = []

        var channel: OutputChannel {
            OutputChannel { piece in
                for position in piece.indices { self.bytes.append(piece[position]) }
            }
        }
    }
}

extension Invocation {
    /// The same with another standard output.
    fileprivate func printing(on output: OutputChannel) -> Invocation {
        Invocation(
            arguments: arguments, environment: environment, folder: folder, input: input, output: output, talk: talk)
    }
}
