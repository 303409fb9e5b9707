package tidemark.bench;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.WindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** The job of a workload, in a cluster of its own within this process. State is in Flink's default backend, a hash map. */
final class Job {
  private static final OutputTag<Event> LATE = new OutputTag<>("late", TypeInformation.of(Event.class));

  private Job() {}

  /** @param chained whether source and window are one task, which spares the serialisation between them */
  static Run run(Workload workload, boolean chained) throws Exception {
    Run run = new Run();
    Run.current = run;
    var environment = StreamExecutionEnvironment.createLocalEnvironment(1);
    environment.getConfig().enableObjectReuse();
    environment.getConfig().setAutoWatermarkInterval(0);

    DataStream<Event> events = environment.fromSource(source(), watermarks(), "events");
    KeyedStream<Event, String> keyed = chained
        ? DataStreamUtils.reinterpretAsKeyedStream(events, event -> event.key)
        : events.keyBy(event -> event.key);
    var results = keyed.window(workload.windows).sideOutputLateData(LATE).aggregate(new CountAndSum(), new WithEnd());
    results.sinkTo(new Tally<>((into, result) -> into.result(result.value(), result.end())));
    results.getSideOutput(LATE).sinkTo(new Tally<>((into, event) -> into.late()));
    environment.execute();
    return run;
  }

  private static DataGeneratorSource<Event> source() {
    return new DataGeneratorSource<>(
        index -> {
          if (index == 0) Run.current.begin();
          return Events.at(index);
        },
        Events.count(),
        TypeInformation.of(Event.class));
  }

  private static WatermarkStrategy<Event> watermarks() {
    return WatermarkStrategy.<Event>forGenerator(context -> new EveryNth())
        .withTimestampAssigner((event, before) -> event.ts);
  }

  private static final class WithEnd implements WindowFunction<Long, Result, String, TimeWindow> {
    @Override
    public void apply(String key, TimeWindow window, Iterable<Long> values, Collector<Result> out) {
      out.collect(new Result(values.iterator().next(), window.getEnd()));
    }
  }
}
