package tidemark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The records that jobs read: in memory, since reading a file is not what is measured. */
final class Events {
  private static Path read;
  private static Event[] events = {};

  private Events() {}

  /** Reads lines of key, value and time, unless they have just been read. */
  static void load(Path file) throws IOException {
    if (file.equals(read)) return;
    Map<String, String> keys = new HashMap<>();
    try (var lines = Files.lines(file)) {
      events = lines.map(line -> parse(line, keys)).toArray(Event[]::new);
    }
    read = file;
  }

  static int count() {
    return events.length;
  }

  static Event at(long index) {
    return events[(int) index];
  }

  /** Records of a key share its name, as those of the generator do. */
  private static Event parse(String line, Map<String, String> keys) {
    String[] fields = line.split(",");
    String key = keys.computeIfAbsent(fields[0], name -> name);
    return new Event(key, Long.parseLong(fields[1]), Long.parseLong(fields[2]));
  }
}
