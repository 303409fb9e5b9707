package tidemark.bench;

import java.time.Duration;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/** The windows of a workload; how many keys there are is in the records. */
enum Workload {
  B1(TumblingEventTimeWindows.of(Duration.ofSeconds(5))),
  B2(SlidingEventTimeWindows.of(Duration.ofSeconds(60), Duration.ofSeconds(1))),
  B3(EventTimeSessionWindows.withGap(Duration.ofSeconds(5)));

  final WindowAssigner<Object, TimeWindow> windows;

  Workload(WindowAssigner<Object, TimeWindow> windows) {
    this.windows = windows;
  }
}
