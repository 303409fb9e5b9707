package tidemark.bench;

/** What a window gives: count and sum added up, and its end. */
public record Result(long value, long end) {}
