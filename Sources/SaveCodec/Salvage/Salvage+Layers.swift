extension Salvage {
    /// Adds the damage of the layers around the file.
    ///
    /// If all contents were decompressed and only a checksum or a size is wrong, nothing is known to be lost.
    package mutating func add(_ damage: [Problem]) {
        for problem in damage {
            isProved = false
            if ["gzip.checksum", "gzip.size", "zlib.checksum", "gzip.trailing", "zlib.trailing"].contains(problem.id) {
                repairs.append(
                    Problem("salvage.checksum", problem.message, severity: .info, at: problem.location))
            } else {
                losses.append(SalvageLoss(.doubtful, nil, at: .address(.root), problem.message))
            }
        }
    }
}
