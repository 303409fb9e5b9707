import { SingleBar } from 'cli-progress';

/** A bar on stderr, if that is a terminal, until the function it gives is called. */
export function showProgress(total: number, read: () => number): () => void {
  const bar = new SingleBar({ format: 'reading |{bar}| {percentage} %', clearOnComplete: true, hideCursor: true });
  bar.start(total, 0);
  const timer = setInterval(() => bar.update(read()), 100);
  return () => {
    clearInterval(timer);
    bar.update(total);
    bar.stop();
  };
}
