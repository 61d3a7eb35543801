// Bundled into a page. The page's query has protocol, baseUrl and observation; the findings, or
// what went wrong, are posted to the page's own server.

import { check } from "./checks";

const query = new URLSearchParams(location.search);

async function findings(): Promise<unknown> {
  try {
    return await check(query.get("protocol")!, query.get("baseUrl")!, JSON.parse(query.get("observation")!));
  } catch (error) {
    return { failure: String(error) };
  }
}

void findings().then((found) => fetch("/findings", { method: "POST", body: JSON.stringify(found) }));
