import KeyedArchives
package import SaveCodec

/// Nested saves, which are read and edited like files:
///
///     /savedGame/root/health ─▶ /savedGame  data ─▶ nested save, and the rest of the address, /root/health
///                                   ▲                     │ edited and written in its own format
///                                   └────── new data ◀────┘
extension Save {
    /// The value that holds a nested save.
    package struct Holder: Sendable {
        /// The save that contains the value.
        package let save: Save
        /// The address of the value.
        package let address: JSONPointer
        let nested: NestedSave
    }

    /// Opens the nested save at an entrance.
    convenience init(_ entrance: ObjectView.Entrance, in outer: Save) {
        self.init(
            entrance.save, in: Holder(save: outer, address: entrance.address, nested: entrance.save),
            limits: outer.limits)
    }

    /// Returns the innermost nested save on the way to an address, and the rest of the address inside it. Returns this
    /// save and the whole address if the address enters no nested save.
    package func innermostSave(at address: JSONPointer) -> (save: Save, address: JSONPointer) {
        var (save, address) = (self, address)
        while let entrance = save.view.entrance(on: address) {
            save = Save(entrance, in: save)
            address = entrance.rest
        }
        return (save, address)
    }

    /// The address of the save in its file; the root unless the save is nested.
    package var base: JSONPointer {
        guard let holder else { return .root }
        return holder.save.base.appending(holder.address)
    }

    /// Returns a problem with its address in the file. For a nested save, the problem loses its location.
    package func based(_ problem: Problem) -> Problem {
        holder == nil ? problem : problem.within(saveAt: base)
    }
}

extension Problem {
    /// Returns the problem of a nested save with its address in the save around it.
    ///
    /// - Parameter holder: The address of the value that holds the nested save.
    func within(saveAt holder: JSONPointer) -> Problem {
        var problem = self
        problem.address = holder.appending(address ?? .root)
        // The location refers to the nested save's own bytes.
        problem.location = nil
        return problem
    }
}

extension NestedSave {
    /// Returns the bytes of the save after edits.
    ///
    /// - Throws: The first value that its format cannot hold.
    func bytes(of edited: ObjectView, limits: Limits) throws(Problem) -> [UInt8] {
        let result = try Save(self, in: nil, limits: limits).edited(to: edited)
        try result.checkValues()
        return try result.bytes()
    }
}

extension ObjectView {
    /// The distinct values that may hold a save, judged by their first and last bytes, in graph order.
    var nestedSaveValues: [ViewID] {
        // Most files have none. Finding that out is cheaper than building the graph.
        guard nesting != nil,
            (0..<document.count).contains(where: { document.mayHoldSave(document.object(ObjectID($0))) })
        else { return [] }
        var seen = Bitmap(count: count)
        var ids: [ViewID] = []
        for container in graph.containers {
            for position in 0..<container.count {
                let id = graph.value(position, of: container)
                guard !seen.contains(id.index) else { continue }
                seen.insert(id.index)
                if mayHoldSave(id) { ids.append(id) }
            }
        }
        return graph.containers.isEmpty && mayHoldSave(root) ? [root] : ids
    }
}
