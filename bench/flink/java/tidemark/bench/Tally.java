package tidemark.bench;

import java.io.Serializable;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** A sink that counts what comes into the run that is under way, and tells it when nothing more will. */
final class Tally<T> implements Sink<T> {
  interface Count<T> extends Serializable {
    void count(Run run, T element);
  }

  private final Count<T> count;

  Tally(Count<T> count) {
    this.count = count;
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    Run run = Run.current;
    return new SinkWriter<>() {
      @Override
      public void write(T element, Context at) {
        count.count(run, element);
      }

      @Override
      public void flush(boolean endOfInput) {
        if (endOfInput) run.end();
      }

      @Override
      public void close() {}
    };
  }
}
