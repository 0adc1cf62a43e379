package dev.agenthealth.local.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A fenced block of a document.
 *
 * @param line the line of its first line of text, from 1
 * @param language what stands behind the fence, such as {@code sh}
 */
record CodeBlock(String document, int line, String language, String text) {

    /** Returns the blocks of a document in their order. */
    static List<CodeBlock> of(Path file) {
        List<CodeBlock> blocks = new ArrayList<>();
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            int begin = -1;
            for (int i = 0; i < lines.size(); i++) {
                if (!lines.get(i).startsWith("```")) {
                    continue;
                }
                if (begin < 0) {
                    begin = i;
                } else {
                    String text = String.join("\n", lines.subList(begin + 1, i));
                    blocks.add(new CodeBlock(
                            file.getFileName().toString(),
                            begin + 2,
                            lines.get(begin).substring(3).strip(),
                            text));
                    begin = -1;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return blocks;
    }

    /** True when this block shows what the commands before it print. */
    boolean isAnswer() {
        return language.equals("json") || language.equals("text");
    }

    @Override
    public String toString() {
        return document + ":" + line;
    }
}
