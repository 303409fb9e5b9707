import Table from 'cli-table3';

export type Rows = ReadonlyArray<ReadonlyArray<string>>;

/** Prints a table for a terminal, or as markdown for a page. */
export function printTable(head: ReadonlyArray<string>, rows: Rows, markdown: boolean): void {
  if (!markdown) {
    const table = new Table({ head: [...head] });
    for (const row of rows) table.push([...row]);
    console.log(table.toString());
    return;
  }
  const widths = head.map((word, i) => Math.max(3, word.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: ReadonlyArray<string>): string => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  console.log([line(head), line(rule), ...rows.map(line)].join('\n'));
}
