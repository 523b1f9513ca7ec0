import KeyedArchives
import SaveCodec

/// Repairs the references of an archive whose property list has been repaired.
enum ArchiveSalvage {
    static func repair(_ salvage: inout Salvage, limits: Limits) throws(Problem) {}
}
