/** The first page: drop a file, open one, or paste an error. */
import { type JSX, Show } from 'solid-js'
import { Button } from './controls.tsx'
import { mode } from './opened.ts'
import { openFiles } from './view-actions.ts'

export function Home(): JSX.Element {
  let input: HTMLInputElement | undefined
  return (
    <main class="home">
      <div class="drop">
        <h1>See what the model will get</h1>
        <p>
          Drop a session file of a coding agent, a JSON history or a request body. Suture shows what is stored beside
          what the next request will contain, what the provider would reject, and what repairs it.
        </p>
        <div class="actions center">
          <Button class="primary big" text="Open a file" onClick={() => input?.click()} />
          <a class="button big" href="#/explain">
            Paste an error
          </a>
          <Show when={mode === 'gateway'}>
            <a class="button big" href="#/sessions">
              Sessions of this gateway
            </a>
          </Show>
        </div>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Session file"
          onChange={({ target }) => void openFiles([...(target.files ?? [])])}
        />
        <p class="quiet">
          Nothing leaves this page: files are read in the browser, and no request goes to any other address.
        </p>
      </div>
    </main>
  )
}
