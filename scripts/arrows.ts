import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';

type Rule = NonNullable<IFlattenedRuleSet['forbidden']>[number];

/** `src/<layer>` may import itself and what is named; `npm` is a pattern of package names. */
interface Arrows {
  readonly layer: string;
  readonly may: ReadonlyArray<string>;
  readonly npm?: string;
  /** Layers of which it may import types. */
  readonly types?: ReadonlyArray<string>;
}

const ARROWS: ReadonlyArray<Arrows> = [
  { layer: 'element', may: [] },
  { layer: 'time', may: ['element'] },
  { layer: 'core', may: ['element', 'time'], types: ['windows', 'watermarks'] },
  { layer: 'watermarks', may: ['element', 'time'], npm: 'fp-ts' },
  {
    layer: 'windows',
    may: ['element', 'time', 'core/engine', 'core/engineSlot', 'core/slidingEngine', 'core/sessionEngine'],
    npm: 'fp-ts',
  },
  { layer: 'schedulers', may: ['element', 'time', 'core/TimeBuffer'], npm: 'rxjs' },
  { layer: 'internal', may: ['element'], npm: 'rxjs' },
  { layer: 'operators', may: ['element', 'time', 'core', 'watermarks', 'windows', 'schedulers', 'internal'], npm: 'rxjs|fp-ts' },
];

const layerRules: ReadonlyArray<Rule> = ARROWS.flatMap(({ layer, may, npm, types = [] }) => {
  const folders = [layer, ...may].join('|');
  const packages = npm === undefined ? '' : `|(^|/)node_modules/(${npm})/`;
  const from = { path: `^src/${layer}/` };
  return [
    {
      name: `${layer}-arrows`,
      comment: `src/${layer} imports ${[...may, npm ?? 'no package', ...types.map((name) => `types of ${name}`)].join(', ')}`,
      severity: 'error',
      from,
      to: { pathNot: `^src/(${[folders, ...types].join('|')})(/|\\.ts$)${packages}` },
    },
    ...types.map(
      (name): Rule => ({
        name: `${layer}-takes-types-of-${name}`,
        comment: `src/${layer} knows ${name} as types only`,
        severity: 'error',
        from,
        to: { path: `^src/${name}/`, dependencyTypesNot: ['type-only'] },
      }),
    ),
  ];
});

const RULES: IFlattenedRuleSet = {
  forbidden: [
    ...layerRules,
    {
      name: 'operators-apart',
      comment: 'operators do not import each other; what they share is in operators/shared',
      severity: 'error',
      from: { path: '^src/operators/' },
      to: { path: '^src/operators/[^/]+$' },
    },
    {
      name: 'shared-below-operators',
      severity: 'error',
      from: { path: '^src/operators/shared/' },
      to: { path: '^src/operators/(?!shared/)' },
    },
    {
      name: 'entries-apart',
      comment: 'calendar, fp, node, sketches and testing are entries of their own: nothing else in src imports them',
      severity: 'error',
      from: { path: '^src/([^/]+)' },
      to: { path: '^src/(calendar|fp|node|sketches|testing)/', pathNot: '^src/$1(/|$)' },
    },
    {
      name: 'nothing-imports-the-root',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(calendar|fp|node|sketches|testing)/' },
      to: { path: '^src/index\\.ts$' },
    },
    {
      name: 'only-src',
      comment: 'src never imports tests, examples, benches or scripts',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|examples|bench|scripts|docs)/' },
    },
    {
      name: 'peers-only',
      comment: 'src imports no package but its peers',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(calendar|sketches)/' },
      to: { path: '(^|/)node_modules/', pathNot: '(^|/)node_modules/(rxjs|fp-ts|@types/node)/' },
    },
    {
      name: 'calendar-peers',
      comment: 'src/calendar imports no package but temporal-polyfill',
      severity: 'error',
      from: { path: '^src/calendar/' },
      to: { path: '(^|/)node_modules/', pathNot: '(^|/)node_modules/temporal-(polyfill|spec|utils)/' },
    },
    {
      name: 'sketches-peers',
      comment: 'src/sketches imports no package but the two that its sketches are made of',
      severity: 'error',
      from: { path: '^src/sketches/' },
      to: {
        path: '(^|/)node_modules/',
        pathNot: '(^|/)node_modules/(@datadog/sketches-js|imurmurhash|@types/imurmurhash)/',
      },
    },
    {
      name: 'fp-ts-as-types',
      comment: 'the root entry knows fp-ts as types only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/fp/' },
      to: { path: '(^|/)node_modules/fp-ts/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'node-in-node',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/node/' },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'resolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
  ],
};

/** The imports in `<project>/src` that break an arrow, one line each; and how many imports were looked at. */
export async function arrows(project: string): Promise<{ readonly violations: ReadonlyArray<string>; readonly imports: number }> {
  const { output } = await cruise(['src'], {
    baseDir: project,
    ruleSet: RULES,
    validate: true,
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true, // imports of types count
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  });
  const { summary } = output as ICruiseResult;
  const violations = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  return { violations, imports: summary.totalDependenciesCruised ?? 0 };
}
