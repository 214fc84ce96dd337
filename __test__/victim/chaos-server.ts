import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one request. */
export type Behaviour =
  /** Answers rightly; `text` is the content, or made of the input. */
  | { readonly kind: 'answer'; readonly text?: string | ((input: string) => string); readonly delayMs?: number }
  /** A status with a body and headers. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  /** Status 200 with this body, as JSON or, for a string, as it is. */
  | { readonly kind: 'body'; readonly body: unknown }
  /** Closes the connection before a word was said. */
  | { readonly kind: 'cut' }
  /** Sends the first half of an answer, then closes the connection. */
  | { readonly kind: 'cut-body' }
  /** Sends the first half of an answer as if it were all. */
  | { readonly kind: 'truncated' }
  /** Never answers; with `headers`, sends those and then nothing more. */
  | { readonly kind: 'hang'; readonly headers?: boolean };

/** One request, as it came. */
export interface SeenRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** The last message, or the prompt. */
  readonly input: string;
  /** When it came, on the clock of `performance.now`. */
  readonly at: number;
}

/** An OpenAI-compatible endpoint on the loopback address that goes wrong as it is told. */
export class ChaosServer {
  /** Every request, in order. */
  readonly requests: SeenRequest[] = [];
  /** What to do with request number `index` (from 0, over all requests). Default: answers `label`. */
  behave: (request: SeenRequest, index: number) => Behaviour = () => ({ kind: 'answer' });
  /** The most requests that were open at the same time. */
  mostOpen = 0;
  #open = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  /** @param port The port; 0 for a free one. */
  static async start(port = 0): Promise<ChaosServer> {
    const chaos = new ChaosServer();
    await new Promise<void>((resolve) => {
      chaos.#server.listen(port, '127.0.0.1', resolve);
    });
    return chaos;
  }

  /** For example `http://127.0.0.1:40123`, without a path. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get inputs(): string[] {
    return this.requests.map((request) => request.input);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.#open);
    response.once('close', () => {
      this.#open -= 1;
    });
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>;
    const messages = body['messages'] as readonly { readonly content: string }[] | undefined;
    const seen: SeenRequest = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body,
      input: messages?.at(-1)?.content ?? String(body['prompt']),
      at: performance.now(),
    };
    this.requests.push(seen);
    await respond(seen, this.behave(seen, this.requests.length - 1), response);
  }
}

async function respond(seen: SeenRequest, behaviour: Behaviour, response: ServerResponse): Promise<void> {
  switch (behaviour.kind) {
    case 'answer': {
      if (behaviour.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs));
      const { text = 'label' } = behaviour;
      return json(response, 200, completion(seen, typeof text === 'string' ? text : text(seen.input)));
    }
    case 'status':
      return json(response, behaviour.status, behaviour.body ?? { error: { message: 'no' } }, behaviour.headers);
    case 'body':
      return json(response, 200, behaviour.body);
    case 'cut':
      return void response.destroy();
    case 'cut-body': {
      const whole = JSON.stringify(completion(seen, 'label'));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
      response.write(whole.slice(0, whole.length / 2), () => response.destroy());
      return;
    }
    case 'truncated': {
      const whole = JSON.stringify(completion(seen, 'label'));
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(whole.slice(0, whole.length / 2));
    }
    case 'hang':
      if (behaviour.headers === true) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"cho');
      }
  }
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A right answer in the shape that the path asks for. */
export function completion(seen: SeenRequest, text: string): object {
  const isChat = seen.path.endsWith('/chat/completions');
  const choice = isChat ? { message: { role: 'assistant', content: text } } : { text };
  return {
    id: 'c',
    choices: [{ index: 0, finish_reason: 'stop', ...choice }],
    usage: { prompt_tokens: seen.input.length, completion_tokens: 1, total_tokens: seen.input.length + 1 },
  };
}
