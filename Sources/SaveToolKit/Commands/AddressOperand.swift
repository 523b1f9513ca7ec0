import KeyedArchive
import SaveCodec
import SaveOperations

extension Address {
    /// What a text should have been that is no address.
    static let expected = "an address such as /scores/0, with ~1 for / and ~0 for ~ in keys"

    /// The address that an operand is.
    init(operand: String) throws(UsageError) {
        guard let address = Address(operand) else { throw .badOperand(operand, "ADDRESS", expected: Self.expected) }
        self = address
    }
}

extension ObjectView {
    /// The address that somebody means. Messages show the root as `/`, so that is the root too, unless the view has an
    /// empty key, of which it is the address.
    func meant(by address: Address) -> Address {
        guard address == Address(tokens: [[]]), case .missing = find(address) else { return address }
        return .root
    }
}
