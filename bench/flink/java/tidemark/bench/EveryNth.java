package tidemark.bench;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;

/** The watermark of all workloads: {@code max - BOUND - 1}, after every 200th record and never by the clock. */
final class EveryNth implements WatermarkGenerator<Event> {
  private static final long BOUND = 3_000;
  private static final int EVERY = 200;

  private long max = Long.MIN_VALUE;
  private int n = 0;

  @Override
  public void onEvent(Event event, long timestamp, WatermarkOutput output) {
    if (timestamp > max) max = timestamp;
    if (++n % EVERY == 0) output.emitWatermark(new Watermark(max - BOUND - 1));
  }

  @Override
  public void onPeriodicEmit(WatermarkOutput output) {}
}
