import Testing

@testable import SaveCodec

extension Salvage {
    /// Returns the addresses of the doubtful values. Any other loss is an issue.
    func doubtfulAddresses() -> Set<String> {
        var addresses: Set<String> = []
        for loss in losses {
            guard loss.kind == .doubtful, case .address(let address) = loss.place else {
                Issue.record("\(loss.kind): \(loss.message)")
                continue
            }
            addresses.insert(address.description)
        }
        return addresses
    }
}
