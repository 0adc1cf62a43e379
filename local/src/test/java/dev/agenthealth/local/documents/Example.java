package dev.agenthealth.local.documents;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Commands of a document with the answer that it shows.
 *
 * @param answer empty where the document shows none: the commands succeed
 */
record Example(CodeBlock commands, Optional<CodeBlock> answer) {

    /** Returns the examples of a document in their order. */
    static List<Example> of(Path file) {
        List<CodeBlock> blocks = CodeBlock.of(file);
        return IntStream.range(0, blocks.size())
                .filter(i -> blocks.get(i).language().equals("sh"))
                .mapToObj(i -> new Example(
                        blocks.get(i),
                        blocks.stream()
                                .skip(i + 1L)
                                .limit(1)
                                .filter(CodeBlock::isAnswer)
                                .findFirst()))
                .toList();
    }

    String text() {
        return commands.text();
    }

    @Override
    public String toString() {
        return commands.toString();
    }
}
