import { expect, test } from 'vitest'
import { highlight, LANGUAGES } from './highlight.ts'
import { renderMarkdown } from './render.ts'
import { LANGUAGES as hostileLanguages } from './testing/hostile.ts'

const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n\n`
const render = (content: string) => renderMarkdown(content).html

test('code is highlighted by classes, and its text is unchanged', () => {
  expect(render(block('ts', 'const rye = "<b>" // 500 g'))).toBe(
    '<div class="prose"><pre role="group" aria-label="Code" tabindex="0"><code class="language-ts"><span class="code-keyword">const</span> rye = <span class="code-string">&quot;&lt;b&gt;&quot;</span> <span class="code-comment">// 500 g</span>\n</code></pre></div>',
  )
})

test.each(['js', 'html', 'py', 'sh', 'toml', 'yml', 'c++', 'C#', 'console', 'ino', 'tex'])(
  'code is highlighted under the usual name %s',
  (name) => {
    expect(highlight('class <a> { "b" } # c', name)).toContain('class="code-')
  },
)

test.each(['', 'mermaid', 'nothing', 'constructor', '__proto__'])(
  'code of the language %j stays plain',
  (name) => {
    expect(render(block(name, 'class "a" { 1 }'))).not.toContain('<span')
  },
)

test('a large block, and one with a very long line, is not highlighted', () => {
  expect(render(block('js', 'let a = 1\n'.repeat(500)))).toContain('<span')
  expect(render(block('js', 'let a = 1\n'.repeat(700)))).not.toContain('<span')
  expect(render(block('js', `let a = "${'a'.repeat(500)}"`))).not.toContain('<span')
})

test('if there is a lot of code, only the beginning is highlighted, and the text is still formatted', () => {
  const { html, renderedAs } = renderMarkdown(block('js', 'let a = 1\n'.repeat(500)).repeat(10))
  expect(renderedAs).toBe('markdown')
  expect(html.split('<pre').map((part) => part.includes('<span'))).toEqual([
    false,
    ...Array.from({ length: 10 }, (_, index) => index < 3),
  ])
})

test('the hostile corpus has code of every language', () => {
  expect(hostileLanguages).toEqual(LANGUAGES)
})
