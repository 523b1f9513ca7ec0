/// SpriteKit: nodes, textures and physics.
///
/// The ancestors are those of macOS, as all scenes have them that Xcode saved.
extension FoundationClass {
    static let sprites =
        [
            FoundationClass("SKNode", "NSResponder", fields: node, .node),
            FoundationClass(
                "SKScene", "SKEffectNode", "SKNode", "NSResponder",
                fields: node + FieldRule.all(.reference, "Scene_bounds", "_visibleRect", "_physicsWorld", "_camera")
                    + FieldRule.all(.number, "_scaleMode"), .node),
            FoundationClass("SKSpriteNode", "SKNode", "NSResponder", fields: sprite, .node),
            FoundationClass(
                "SKTileMapNode", "SKNode", "NSResponder",
                fields: node + FieldRule.all(.data, "_rawTiles")
                    + FieldRule.all(.integer, "_currentRows", "_currentColumns"), .node),
            FoundationClass(
                "SKEmitterNode", "SKNode", "NSResponder",
                fields: node + FieldRule.all(.real, "_birthrate", "_lifetime", "_lifetimeVariance"), .node),
            FoundationClass(
                "SKLabelNode", "SKNode", "NSResponder",
                fields: node + FieldRule.all(.string, "_text", "_fontName") + FieldRule.all(.real, "_fontSize"), .node),
            FoundationClass(
                "SKTexture",
                fields: FieldRule.all(.string, "_imgName")
                    + FieldRule.all(.boolean, "_disableAlpha", "_isData", "_isFlipped", "_isPath", "_isRotated")
                    + FieldRule.all(.integer, "_filteringMode"), .quoted("_imgName")),
            FoundationClass("PKPhysicsBody", fields: physicsBody),
            FoundationClass(
                "PKPhysicsWorld",
                fields: FieldRule.all(.reference, "_bodies", "_joints", "gravity")
                    + FieldRule.all(.real, "speedMultiplier")),
        ]
        + otherNodes.map { FoundationClass($0, "SKNode", "NSResponder", fields: node, .node) }

    private static let node =
        FieldRule.all(
            .reference, "_position", "_children", "_userData", "_actions", "_constraints", "_keyedActions",
            "_keyedSubSprites", "_attributeValues", "_info", "_reachConstraints", "_PKPhysicsBody", "_hidden",
            "_paused")
        + FieldRule.all(.string, "_name", "_originalClass")
        + FieldRule.all(
            .number, "_xScale", "_yScale", "_zPosition", "_zRotation", "_xRotation", "_yRotation", "_opacity",
            "_version")

    private static let sprite =
        node
        + FieldRule.all(.reference, "_texture", "_normalTexture", "_anchorPoint", "_bounds", "_centerRect")
        + FieldRule.all(.number, "_blendMode", "_colorMix", "_baseColorR", "_baseColorG", "_baseColorB", "_baseColorA")
        + FieldRule.all(
            .integer, "_lightingBitMask", "_shadowCastBitMask", "_shadowedBitMask", "_subdivisionLevels")

    private static let physicsBody =
        FieldRule.all(
            .boolean, "affectedByGravity", "allowRotation", "dynamic", "needsContinuousCollsionDetection", "pinned")
        + FieldRule.all(
            .real, "_edgeRadius", "_radius", "angularDamping", "angularVelocity", "charge", "density", "friction",
            "linearDamping", "restitution")
        + FieldRule.all(
            .integer, "_shapeType", "categoryBitMask", "collisionBitMask", "fieldBitMask", "intersectionTestBitMask")
        + FieldRule.all(.string, "_size", "_p0", "linearVelocity")

    private static let otherNodes = [
        "SKCameraNode", "SKCropNode", "SKEffectNode", "SKFieldNode", "SKLightNode", "SKReferenceNode", "SKShapeNode",
        "SKVideoNode",
    ]
}
