package tidemark.bench;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;

/**
 * Runs a job for each line of the input, {@code WORKLOAD flink|flink-chained FILE}, and answers with a line of JSON. So runs of Flink
 * take turns with those of others, in one process that stays warm.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    try {
      serve(new BufferedReader(new InputStreamReader(System.in)));
      System.exit(0); // threads of Flink may still be about
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static void serve(BufferedReader in) throws Exception {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] asked = line.split(" ", 3);
      Events.load(Path.of(asked[2]));
      System.out.println(Job.run(Workload.valueOf(asked[0]), asked[1].equals("flink-chained")).toJson());
    }
  }
}
