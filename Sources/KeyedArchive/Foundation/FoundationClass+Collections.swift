/// Collections, and objects that stand for a single value.
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
        FoundationClass(
            "NSCountedSet", "NSMutableSet", "NSSet", fields: FieldRule.required("NS.count", .integer), .countedSet),
        // Options, the objects, and nil at the end, all without names.
        FoundationClass("NSHashTable", fields: FieldRule.all(.integer, "$0")),
        FoundationClass("NSString", layout: .string),
        FoundationClass("NSMutableString", "NSString", layout: .string),
        FoundationClass("NSData", layout: .data),
        FoundationClass("NSMutableData", "NSData", layout: .data),
        FoundationClass("NSDate", layout: .date),
        FoundationClass("NSNull", layout: .null),
        FoundationClass("NSNumber", "NSValue", layout: .number),
    ]
}
