{{- define "agent-health.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "agent-health.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: {{ .Values.mode }}
{{- end }}

{{- define "agent-health.match" -}}
{ matchLabels: { {{- include "agent-health.selector" . | replace "\n" ", " -}} } }
{{- end }}

{{- define "agent-health.metadata" -}}
name: {{ include "agent-health.name" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "agent-health.selector" . | nindent 2 }}
  {{- include "agent-health.common" . | nindent 2 }}
{{- end }}

{{- define "agent-health.common" -}}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "agent-health.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "agent-health.podSecurity" -}}
serviceAccountName: {{ include "agent-health.name" . }}
automountServiceAccountToken: false
# Else a service agent-health would set AGENT_HEALTH_PORT to an address.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "agent-health.containerSecurity" -}}
image: {{ include "agent-health.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "agent-health.pod" -}}
metadata:
  labels: {{ include "agent-health.selector" . | nindent 4 }}
  {{- if or .Values.metrics.annotations .Values.podAnnotations }}
  annotations:
    {{- if .Values.metrics.annotations }}
    prometheus.io/scrape: "true"
    prometheus.io/path: /metrics
    prometheus.io/port: "8080"
    {{- end }}
    {{- with .Values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
  {{- end }}
spec:
  {{- include "agent-health.podSecurity" . | nindent 2 }}
  # Requests in flight are answered within 30 seconds after SIGTERM, which comes after the pause of preStop.
  terminationGracePeriodSeconds: 45
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- if eq .Values.mode "stack" }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: topology.kubernetes.io/zone
      whenUnsatisfiable: ScheduleAnyway
      labelSelector: {{ include "agent-health.match" . }}
  {{- end }}
  containers:
    - name: registry
      {{- include "agent-health.containerSecurity" . | nindent 6 }}
      {{- if eq .Values.mode "stack" }}
      args: [serve, --stack, {{ .Values.stack.name | quote }}, --functions, {{ join "," .Values.stack.functions | quote }}]
      {{- else }}
      args: [serve]
      {{- end }}
      env:
        - { name: JAVA_OPTS, value: {{ .Values.javaOpts | quote }} }
        {{- if eq .Values.mode "stack" }}
        - { name: AWS_REGION, value: {{ .Values.stack.region | quote }} }
        {{- else }}
        - name: AGENT_HEALTH_ADMIN_KEY
          valueFrom: { secretKeyRef: { name: {{ .Values.adminKey.existingSecret | default (include "agent-health.name" .) }}, key: {{ .Values.adminKey.secretKey }} } }
        - { name: AGENT_HEALTH_SWEEP_SECONDS, value: {{ .Values.options.sweepSeconds | quote }} }
        - { name: AGENT_HEALTH_EVENT_RETENTION_DAYS, value: {{ .Values.options.eventRetentionDays | quote }} }
        - { name: AGENT_HEALTH_AUDIT_RETENTION_DAYS, value: {{ .Values.options.auditRetentionDays | quote }} }
        {{- if .Values.ingress.enabled }}
        - { name: AGENT_HEALTH_PUBLIC_URL, value: {{ printf "https://%s" .Values.ingress.host | quote }} }
        {{- end }}
        - { name: AGENT_HEALTH_SYNC_HEARTBEATS, value: {{ .Values.options.syncHeartbeats | quote }} }
        {{- with .Values.smtp }}
        {{- if .host }}
        - { name: AGENT_HEALTH_SMTP_HOST, value: {{ .host | quote }} }
        - { name: AGENT_HEALTH_SMTP_PORT, value: {{ .port | quote }} }
        - { name: AGENT_HEALTH_SMTP_SECURITY, value: {{ .security | quote }} }
        - { name: AGENT_HEALTH_SMTP_FROM, value: {{ required "smtp.from is required with smtp.host" .from | quote }} }
        {{- if .user }}
        - { name: AGENT_HEALTH_SMTP_USER, value: {{ .user | quote }} }
        - name: AGENT_HEALTH_SMTP_PASSWORD
          valueFrom: { secretKeyRef: { name: {{ required "smtp.existingSecret is required with smtp.user" .existingSecret }}, key: {{ .secretKey }} } }
        {{- end }}
        {{- end }}
        {{- end }}
        {{- end }}
        {{- with .Values.extraEnv }}{{ toYaml . | nindent 8 }}{{ end }}
      ports:
        - { name: http, containerPort: 8080 }
      # A large database is opened within five minutes; then three missed answers start the container anew.
      startupProbe: { httpGet: { path: /api/v1/ping, port: http }, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 150 }
      readinessProbe: { httpGet: { path: /api/v1/ping, port: http }, periodSeconds: 5, timeoutSeconds: 3 }
      livenessProbe: { httpGet: { path: /api/v1/ping, port: http }, periodSeconds: 20, timeoutSeconds: 10 }
      {{- if eq .Values.mode "stack" }}
      # Load balancers learn within some seconds that the pod ends; until then they send it requests.
      lifecycle: { preStop: { exec: { command: [sleep, "10"] } } }
      {{- end }}
      resources: {{ toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- if eq .Values.mode "registry" }}
        - { name: data, mountPath: /data }
        {{- end }}
  volumes:
    - { name: tmp, emptyDir: { sizeLimit: 256Mi } }
{{- end }}
