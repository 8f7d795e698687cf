#!/usr/bin/env -S MALLOC_MMAP_THRESHOLD_=32768 MALLOC_ARENA_MAX=2 node --max-semi-space-size=8 --heap-growing-percent=40 --expose-gc --wasm-tiering-budget=50000000
import { loadEnvironmentFile } from '../settings/settings.js'
import { runProgram } from './program.js'

const { stdout, stderr } = process
process.exitCode = await runProgram(process.argv.slice(2), { environment: loadEnvironmentFile, stdout, stderr })
