// Builds the Rust documentation with warnings as errors (portable: no shell-specific variable syntax).
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('cargo', ['doc', '--workspace', '--no-deps', '--locked', '--document-private-items'], {
  stdio: 'inherit',
  env: { ...process.env, RUSTDOCFLAGS: '-D warnings' },
});
process.exitCode = status ?? 1;
