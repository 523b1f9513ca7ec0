/// What the help of several commands says of tokens.
enum TokenHelp {
    static let limits = """
        A token keeps out those who have not looked. The salt is in the game and can be read out of it;
        whoever has it can send any score. A submission that was overheard can be sent again. A digest
        by MD5 over a secret is no HMAC, and MD5 is broken. Nothing here is hidden from who listens on
        the way: use HTTPS, and let the server judge whether a score is possible.
        """
}
