import SaveCodec

/// What an object stands for, as text beside its class; never a change of the data.
enum Annotation {
    /// A path or an address: `NS.relative`.
    case url
}
