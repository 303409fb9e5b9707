package tidemark.bench;

/** What flows in: a class whose fields Flink knows how to serialise by itself. */
public final class Event {
  public String key;
  public long value;
  public long ts;

  public Event() {}

  Event(String key, long value, long ts) {
    this.key = key;
    this.value = value;
    this.ts = ts;
  }
}
