// Usage: tsx test/node.ts PROTOCOL BASE_URL OBSERVATION_JSON; prints the findings as JSON.

import { check } from "./checks";

const [protocol, baseUrl, observation] = process.argv.slice(2);
console.log(JSON.stringify(await check(protocol!, baseUrl!, JSON.parse(observation!))));
