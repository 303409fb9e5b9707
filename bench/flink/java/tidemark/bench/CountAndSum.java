package tidemark.bench;

import org.apache.flink.api.common.functions.AggregateFunction;

/** Counts and sums, in a state that is changed in place. */
final class CountAndSum implements AggregateFunction<Event, CountAndSum.Total, Long> {
  public static final class Total {
    public long n;
    public long sum;
  }

  @Override
  public Total createAccumulator() {
    return new Total();
  }

  @Override
  public Total add(Event event, Total total) {
    total.n++;
    total.sum += event.value;
    return total;
  }

  @Override
  public Total merge(Total left, Total right) {
    left.n += right.n;
    left.sum += right.sum;
    return left;
  }

  @Override
  public Long getResult(Total total) {
    return total.n + total.sum;
  }
}
