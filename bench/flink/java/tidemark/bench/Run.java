package tidemark.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * What is known about the run that is under way. Tasks are threads of this process, and what a job holds is serialised on its
 * way to them, so they meet in a static field. No two tasks write the same of it: the source begins; the sinks, which are in one
 * task with the window, do the rest.
 */
final class Run {
  private static final OperatingSystemMXBean PROCESS = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  static volatile Run current = new Run();

  private long results;
  private long sum;
  private long late;
  private int ends;
  private long wallAtStart;
  private long cpuAtStart;
  private long wall;
  private long cpu;

  /** Before the first record leaves the source. */
  void begin() {
    cpuAtStart = PROCESS.getProcessCpuTime();
    wallAtStart = System.nanoTime();
  }

  /** Counts one result in, as {@code count} of the workloads does: integers wrap around here by themselves. */
  void result(long value, long time) {
    results++;
    sum += value;
    ends += (int) time * 0x9e3779b1;
  }

  void late() {
    late++;
  }

  /** When a sink has seen the end of its input; the last one to do so counts. */
  void end() {
    wall = System.nanoTime() - wallAtStart;
    cpu = PROCESS.getProcessCpuTime() - cpuAtStart;
  }

  String toJson() {
    return String.format(
        Locale.ROOT,
        "{\"wall\":%s,\"cpu\":%s,\"found\":{\"results\":%d,\"sum\":%d,\"late\":%d,\"ends\":%d}}",
        wall / 1e6, cpu / 1e6, results, sum, late, ends);
  }
}
