/** The process of one question, named by its number: prints an answer for each of its values, as JSON. */
import { QUESTIONS } from './questions.js';

const question = QUESTIONS[Number(process.argv[2])];
if (question === undefined) throw new RangeError(`growth: there is no question ${process.argv[2]}`);
question.answer(question.values[0] ?? NaN); // the first one would be measured cold
console.log(JSON.stringify(question.values.map(question.answer)));
