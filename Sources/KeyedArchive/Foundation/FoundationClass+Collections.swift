/// Collections, and the mutable forms of what is stored plainly where it is immutable.
extension FoundationClass {
    static let collections = [
        FoundationClass("NSArray", layout: .elements(.array)),
        FoundationClass("NSMutableArray", "NSArray", layout: .elements(.array)),
        FoundationClass("NSSet", layout: .elements(.set)),
        FoundationClass("NSMutableSet", "NSSet", layout: .elements(.set)),
        FoundationClass("NSOrderedSet", layout: .numbered),
        FoundationClass("NSMutableOrderedSet", "NSOrderedSet", layout: .numbered),
        FoundationClass("NSDictionary", layout: .pairs),
        FoundationClass("NSMutableDictionary", "NSDictionary", layout: .pairs),
        FoundationClass("NSMutableString", "NSString", layout: .string),
        FoundationClass("NSMutableData", "NSData", layout: .data),
        FoundationClass("NSData", layout: .data),
        FoundationClass("NSDate", layout: .date),
        FoundationClass("NSNull", layout: .null),
    ]
}
