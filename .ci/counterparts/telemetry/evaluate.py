"""Runs an agent and an evaluator with the OpenTelemetry SDK: 20 executions as spans, and an evaluation of each as an event of its own process."""

import os

from opentelemetry._logs import LogRecord
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.trace import set_span_in_context

URL = os.environ["AGENT_HEALTH_URL"] + "/v1/otlp/v1/"
HEADERS = {"x-api-key": os.environ["AGENT_HEALTH_KEY"]}

tracers = TracerProvider(resource=Resource.create({"service.name": "writer", "agent_health.agent_id": "writer"}))
tracers.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(URL + "traces", headers=HEADERS)))
loggers = LoggerProvider(resource=Resource.create({"service.name": "evaluator"}))
loggers.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter(URL + "logs", headers=HEADERS)))
tracer = tracers.get_tracer("my-agent")
logger = loggers.get_logger("my-evaluator")

for number in range(20):
    span = tracer.start_span("invoke_agent Writer", attributes={"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "Writer"})
    span.end()
    for _ in range(2):
        logger.emit(
            LogRecord(
                context=set_span_in_context(span),
                event_name="gen_ai.evaluation.result",
                attributes={
                    "gen_ai.evaluation.name": "correctness",
                    "gen_ai.evaluation.score.label": "fail" if number < 8 else "pass",
                    "gen_ai.evaluation.explanation": os.environ["EXPLANATION"],
                },
            )
        )
logger.emit(LogRecord(body="an ordinary record"))
tracers.shutdown()
loggers.shutdown()
