extension Salvage {
    /// Adds the damage of the layers around the file.
    ///
    /// If everything was decompressed and only a checksum or a size is wrong, it counts as a repair and not as a loss.
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
