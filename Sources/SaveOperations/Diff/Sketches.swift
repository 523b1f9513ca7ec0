/// Sketches of containers that have been compared, each made once.
struct Sketches {
    private var madeBefore: [Int: Sketch] = [:]
    private var madeAfter: [Int: Sketch] = [:]

    mutating func before(_ number: Int, _ graph: ComparedGraph, _ hashes: inout ValueHashes) -> Sketch {
        if let sketch = madeBefore[number] { return sketch }
        let sketch = Sketch(of: number, in: graph, &hashes)
        madeBefore[number] = sketch
        return sketch
    }

    mutating func after(_ number: Int, _ graph: ComparedGraph, _ hashes: inout ValueHashes) -> Sketch {
        if let sketch = madeAfter[number] { return sketch }
        let sketch = Sketch(of: number, in: graph, &hashes)
        madeAfter[number] = sketch
        return sketch
    }

    /// How much a container before and one after have in common, from 0 to 1000.
    mutating func similarity(
        _ a: Int, _ graphBefore: ComparedGraph, _ hashesBefore: inout ValueHashes, _ b: Int,
        _ graphAfter: ComparedGraph,
        _ hashesAfter: inout ValueHashes
    ) -> Int {
        before(a, graphBefore, &hashesBefore).similarity(to: after(b, graphAfter, &hashesAfter))
    }
}
