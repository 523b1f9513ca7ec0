/// Something odd in a file: how often it was seen, and at which object first.
struct Oddity {
    private(set) var count = 0
    private(set) var first = 0

    mutating func note(at index: Int) {
        if count == 0 { first = index }
        count += 1
    }
}
