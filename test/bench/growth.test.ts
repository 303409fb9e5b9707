import { expect, it } from 'vitest';
import { draw } from '../../bench/growth/draw.js';
import { QUESTIONS } from '../../bench/growth/questions.js';

it('every question that is drawn has its line, with as many dots as it has values', () => {
  const svg = draw(QUESTIONS.map((question) => ({ ...question, found: question.values.map((_, i) => 10 + i) })));
  const drawn = QUESTIONS.filter((question) => question.drawn !== undefined);
  for (const { drawn: at } of drawn) expect(svg).toContain(`>${at?.panel || at?.line}</text>`);
  expect(svg.match(/<circle /g)).toHaveLength(drawn.reduce((n, { values }) => n + values.length, 0));
});
